package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VariantTest {

  @Test
  void each_has_a_name_in_small_letters_that_tells_which_constant_it_is() {
    for (Variant each : Variant.values()) {
      assertEquals(each.name().toLowerCase(Locale.ROOT).replace('_', '-'), each.id());
    }
  }

  @Test
  void each_has_a_title_of_one_line_what_it_changes_and_where_it_comes_from() {
    Set<String> titles = new HashSet<>();
    for (Variant each : Variant.values()) {
      assertTrue(titles.add(each.title()), each.title());
      assertTrue(each.title().length() <= 90, each.title());
      assertFalse(each.title().endsWith("."), each.title());
      assertTrue(each.change().endsWith("."), each.change());
      assertTrue(each.change().length() > 60, each.change());
      assertFalse(each.origin().endsWith("."), each.origin());
      assertTrue(each.origin().length() > 20, each.origin());
      for (String text : List.of(each.title(), each.change(), each.origin())) {
        assertFalse(text.contains("\n") || text.contains("  "), text);
      }
    }
  }

  @Test
  void exclusion_is_mutual_and_nothing_excludes_itself() {
    for (Variant one : Variant.values()) {
      assertFalse(one.excludes().contains(one));
      for (Variant other : one.excludes()) {
        assertTrue(other.excludes().contains(one), one.id() + " and " + other.id());
      }
    }
  }

  @Test
  void variants_that_exclude_each_other_are_refused_with_what_to_do() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                Variant.requireCompatible(
                    List.of(
                        Variant.STOLEN_ERROR,
                        Variant.SETTLE_AT_ONCE,
                        Variant.SETTLE_BEFORE_GRANT)));
    assertEquals(
        "the variants settle-before-grant and settle-at-once exclude each other; leave one of them"
            + " out",
        refused.getMessage());
  }

  @Test
  void all_pairs_that_do_not_exclude_each_other_can_be_had_together() {
    for (Variant one : Variant.values()) {
      for (Variant other : Variant.values()) {
        if (!one.excludes().contains(other)) {
          assertEquals(
              new HashSet<>(List.of(one, other)), Variant.requireCompatible(List.of(one, other)));
        }
      }
    }
  }

  @Test
  void named_sets_hold_together_and_are_not_named_like_a_variant() {
    Map<String, Set<Variant>> sets = Variant.sets();
    assertEquals(List.of("node", "deno"), List.copyOf(sets.keySet()));
    for (Map.Entry<String, Set<Variant>> each : sets.entrySet()) {
      assertEquals(each.getValue(), Variant.requireCompatible(each.getValue()));
      assertFalse(Variant.ids(List.of(Variant.values())).contains(each.getKey()));
    }
  }

  @Test
  void names_come_in_the_order_of_the_list() {
    assertEquals(
        List.of("reentrant", "callback-less"),
        Variant.ids(List.of(Variant.CALLBACK_LESS, Variant.REENTRANT)));
  }

  @Test
  void state_machine_of_single_names_refuses_to_be_the_early_draft() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> new LockManagers(Set.of(Variant.EARLY_DRAFT)));
    assertTrue(String.valueOf(refused.getMessage()).contains("early-draft"), refused.getMessage());
  }

  @Test
  void queue_refuses_variants_that_exclude_each_other() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            TestQueues.queue(
                () -> {},
                null,
                Set.of(Variant.ABORTED_STAYS_PENDING, Variant.ABORT_GRANTS_NOTHING)));
  }
}
