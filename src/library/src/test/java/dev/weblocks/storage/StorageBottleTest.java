package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** The map behind Storage objects: order, quota and notifications. */
class StorageBottleTest {

  private static final StorageBottle.Watcher NOBODY = change -> {};

  private final StorageBottle bottle = new StorageBottle(20);
  private final List<StorageBottle.Change> heard = new ArrayList<>();

  private void set(String key, String value) {
    assertTrue(bottle.set(key, value, NOBODY, "url"));
  }

  @Test
  void names_keep_their_insertion_order() {
    set("b", "1");
    set("a", "2");
    set("c", "3");
    set("b", "4");
    assertEquals(List.of("b", "a", "c"), bottle.names());
    bottle.remove("b", NOBODY, "url");
    set("b", "5");
    assertEquals(List.of("a", "c", "b"), bottle.names());
    assertEquals("c", bottle.name(1));
    assertNull(bottle.name(3));
    assertNull(bottle.name(0xFFFFFFFFL));
  }

  @Test
  void quota_counts_two_bytes_for_each_code_unit_of_names_and_values() {
    set("ab", "12345678");
    assertEquals(20, bottle.usage());
    assertFalse(bottle.set("", "x", NOBODY, "url"));
    assertFalse(bottle.set("ab", "123456789", NOBODY, "url"));
    assertEquals("12345678", bottle.get("ab"));
    set("ab", "1");
    assertEquals(6, bottle.usage());
    set("", "\ud83d\ude00x");
    assertEquals(12, bottle.usage());
    bottle.remove("ab", NOBODY, "url");
    assertEquals(6, bottle.usage());
    bottle.clear(NOBODY, "url");
    assertEquals(0, bottle.usage());
    set("ab", "12345678");
  }

  @Test
  void all_watchers_except_the_source_receive_changes_that_take_effect() {
    bottle.watch(heard::add);
    StorageBottle.Watcher source =
        change -> {
          throw new AssertionError("the source hears of its own change");
        };
    bottle.watch(source);
    bottle.set("a", "1", source, "url");
    bottle.set("a", "1", source, "url");
    bottle.set("a", "2", source, "url");
    bottle.set("a", "x".repeat(99), source, "url");
    bottle.remove("none", source, "url");
    bottle.remove("a", source, "url");
    bottle.clear(source, "url");
    bottle.set("a", "3", source, "url");
    bottle.clear(source, "url");
    assertEquals(
        List.of(
            new StorageBottle.Change("a", null, "1", "url"),
            new StorageBottle.Change("a", "1", "2", "url"),
            new StorageBottle.Change("a", "2", null, "url"),
            new StorageBottle.Change("a", null, "3", "url"),
            new StorageBottle.Change(null, null, null, "url")),
        heard);
  }

  @Test
  void failing_watcher_does_not_prevent_later_changes() {
    StorageBottle.Watcher failing =
        change -> {
          throw new IllegalStateException("no");
        };
    bottle.watch(heard::add);
    bottle.watch(failing);
    assertThrows(IllegalStateException.class, () -> bottle.set("a", "1", NOBODY, "url"));
    StorageBottle.Watcher overflowing =
        change -> {
          throw new StackOverflowError();
        };
    bottle.unwatch(failing);
    bottle.watch(overflowing);
    assertThrows(StackOverflowError.class, () -> bottle.set("a", "2", NOBODY, "url"));
    bottle.unwatch(overflowing);
    set("a", "3");
    assertEquals(
        List.of("1", "2", "3"), heard.stream().map(StorageBottle.Change::newValue).toList());
  }

  @Test
  void change_made_by_a_watcher_is_delivered_after_the_first_change() {
    bottle.watch(change -> {
      if ("a".equals(change.key())) {
        bottle.set("b", "2", NOBODY, "url");
      }
    });
    bottle.watch(heard::add);
    set("a", "1");
    assertEquals(List.of("a", "b"), heard.stream().map(StorageBottle.Change::key).toList());
  }

  /** Each change has the previous value, so that changes in order form a chain. */
  @Test
  void changes_of_many_threads_are_received_in_order() throws Exception {
    int threads = 4;
    int changes = 5_000;
    StorageBottle shared = new StorageBottle(1 << 20);
    List<List<StorageBottle.Change>> heardBy = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<StorageBottle.Change> one = Collections.synchronizedList(new ArrayList<>());
      heardBy.add(one);
      shared.watch(one::add);
    }
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String name = "thread " + t + " ";
      running.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  start.await();
                } catch (Exception interrupted) {
                  throw new AssertionError(interrupted);
                }
                for (int i = 0; i < changes; i++) {
                  shared.set("key " + i % 3, name + i, NOBODY, "url");
                }
              }));
    }
    for (Thread each : running) {
      each.join();
    }
    for (List<StorageBottle.Change> one : heardBy) {
      assertEquals(threads * changes, one.size());
      Map<String, String> last = new HashMap<>();
      for (StorageBottle.Change change : one) {
        assertEquals(last.get(change.key()), change.oldValue());
        last.put(change.key(), change.newValue());
      }
      for (String key : shared.names()) {
        assertEquals(shared.get(key), last.get(key));
      }
    }
  }
}
