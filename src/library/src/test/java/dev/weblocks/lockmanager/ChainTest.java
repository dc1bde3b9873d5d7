package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainTest {
  private final Chain<String> chain = new Chain<>(new OperationCount());
  private final Chain.Link<String> a = new Chain.Link<>("a");
  private final Chain.Link<String> b = new Chain.Link<>("b");
  private final Chain.Link<String> c = new Chain.Link<>("c");

  @Test
  void items_keep_their_insertion_order() {
    chain.append(b);
    chain.append(c);
    chain.prepend(a);
    assertEquals(List.of("a", "b", "c"), items());
  }

  @Test
  void item_can_be_removed_at_either_end_and_in_the_middle() {
    chain.append(a);
    chain.append(b);
    chain.append(c);
    chain.remove(b);
    assertEquals(List.of("a", "c"), items());
    chain.append(b);
    chain.remove(a);
    assertEquals(List.of("c", "b"), items());
    chain.remove(b);
    chain.append(a);
    assertEquals(List.of("c", "a"), items());
    chain.remove(c);
    chain.remove(a);
    assertTrue(chain.isEmpty());
    chain.prepend(b);
    chain.append(c);
    assertEquals(List.of("b", "c"), items());
  }

  @Test
  void link_is_in_at_most_one_chain() {
    chain.append(a);
    Chain<String> other = new Chain<>(new OperationCount());
    assertThrows(IllegalStateException.class, () -> chain.append(a));
    assertThrows(IllegalStateException.class, () -> other.prepend(a));
    assertThrows(IllegalStateException.class, () -> other.remove(a));
    assertThrows(IllegalStateException.class, () -> chain.remove(b));
    assertEquals(List.of("a"), items());
  }

  private List<String> items() {
    List<String> items = new ArrayList<>();
    for (Chain.Link<String> link = chain.first(); link != null; link = link.next()) {
      items.add(link.item());
    }
    return items;
  }
}
