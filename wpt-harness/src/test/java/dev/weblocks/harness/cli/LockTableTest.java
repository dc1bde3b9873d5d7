package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockTableTest {

  private long lastRequest;

  private LockEntry entry(String name, LockMode mode, int place, String agent) {
    return new LockEntry(
        "https://one.test",
        "default",
        "one",
        name,
        mode,
        place,
        ++lastRequest,
        /* reentrant= */ false,
        "client of " + agent,
        agent,
        "https://one.test/",
        Duration.ofMillis(1280),
        place == 0 ? null : "https://one.test/a.js:3:4");
  }

  private static String table(boolean atRest, LockEntry... entries) {
    return new LockTable(
            List.of(entries),
            LockEntry::agent,
            position -> position.replace("https://one.test/", ""),
            atRest)
        .text();
  }

  @Test
  void table_without_locks_is_empty() {
    assertEquals("", table(true));
  }

  @Test
  void columns_are_aligned_and_waits_are_listed_below_the_table() {
    assertEquals(
        """
        NAME      MODE       STATE         HOLDER/WAITER  SINCE  POSITION
        a         shared     held          one            1.3 s  -
        a         exclusive  waits, next   two            1.3 s  a.js:3:4
        a         shared     waits, no. 2  three          1.3 s  a.js:3:4
        longname  exclusive  held          four           1.3 s  -
        two waits for one (lock a)
        three waits for two (lock a)\
        """,
        table(
            true,
            entry("a", LockMode.SHARED, 0, "one"),
            entry("a", LockMode.EXCLUSIVE, 1, "two"),
            entry("a", LockMode.SHARED, 2, "three"),
            entry("longname", LockMode.EXCLUSIVE, 0, "four")));
  }

  @Test
  void cells_of_a_column_begin_at_the_same_position() {
    String[] lines =
        table(
                true,
                entry("a", LockMode.SHARED, 0, "one"),
                entry("longer name", LockMode.EXCLUSIVE, 0, "another"))
            .split("\n");
    for (String column : List.of("MODE", "STATE", "SINCE", "POSITION")) {
      int at = lines[0].indexOf(column);
      for (String line : lines) {
        assertEquals(' ', line.charAt(at - 1), line);
        assertFalse(line.charAt(at) == ' ', line);
      }
    }
  }

  @Test
  void cycle_is_listed_but_called_a_deadlock_only_when_quiescent() {
    LockEntry[] entries = {
      entry("a", LockMode.EXCLUSIVE, 0, "one"),
      entry("a", LockMode.EXCLUSIVE, 1, "three"),
      entry("b", LockMode.EXCLUSIVE, 0, "two"),
      entry("b", LockMode.EXCLUSIVE, 1, "one"),
      entry("c", LockMode.EXCLUSIVE, 0, "three"),
      entry("c", LockMode.EXCLUSIVE, 1, "two"),
      entry("c", LockMode.EXCLUSIVE, 2, "four"),
    };
    String cycle = "three waits for one, which waits for two, which waits for three";
    assertTrue(table(true, entries).endsWith("\ndeadlock: " + cycle), () -> table(true, entries));
    assertTrue(table(false, entries).endsWith("\ncycle: " + cycle));
  }

  @Test
  void chain_without_a_cycle_is_no_deadlock() {
    String text =
        table(
            true,
            entry("a", LockMode.EXCLUSIVE, 0, "one"),
            entry("a", LockMode.EXCLUSIVE, 1, "two"),
            entry("b", LockMode.EXCLUSIVE, 0, "two"),
            entry("b", LockMode.EXCLUSIVE, 1, "three"));
    assertFalse(text.contains("deadlock"), text);
    assertTrue(text.endsWith("two waits for one (lock a)\nthree waits for two (lock b)"), text);
  }

  @Test
  void shared_holders_do_not_block_shared_requests() {
    String text =
        table(
            true,
            entry("a", LockMode.SHARED, 0, "one"),
            entry("a", LockMode.EXCLUSIVE, 1, "two"),
            entry("a", LockMode.SHARED, 2, "one"));
    assertTrue(text.contains("\none waits for two (lock a)"), text);
    assertTrue(text.endsWith("deadlock: two waits for one, which waits for two"), text);
  }

  @Test
  void client_that_waits_for_itself_is_a_cycle() {
    String text =
        table(
            true,
            entry("a", LockMode.EXCLUSIVE, 0, "one"),
            entry("a", LockMode.EXCLUSIVE, 1, "one"));
    assertTrue(
        text.endsWith("one waits for itself (lock a)\ndeadlock: one waits for itself"), text);
  }

  @Test
  void names_cannot_control_the_terminal() {
    String text = table(true, entry("\u001b[2J\n\ud800\u202e", LockMode.EXCLUSIVE, 0, "one"));
    assertTrue(text.contains("U+001b[2J\\nU+d800U+202e"), text);
    assertEquals(2, text.lines().count());
    assertTrue(table(true, entry("", LockMode.SHARED, 0, "one")).contains("\n''  "));
  }

  @Test
  void long_names_are_shortened() {
    String name = "n".repeat(1 << 24);
    String text = table(true, entry(name, LockMode.EXCLUSIVE, 0, "one"));
    assertTrue(text.length() < 1000, () -> text.length() + " characters");
    assertTrue(text.contains("nnn… (16777216 characters)"), text);
  }

  @Test
  void managers_have_headings_if_several_exist_or_one_is_of_a_bucket() {
    LockEntry other =
        new LockEntry(
            "https://two.test",
            "b",
            "two",
            "a",
            LockMode.SHARED,
            1,
            ++lastRequest,
            /* reentrant= */ false,
            "c",
            "two",
            "u",
            Duration.ofSeconds(3725),
            null);
    String text = table(true, entry("a", LockMode.EXCLUSIVE, 0, "one"), other);
    assertTrue(text.contains("\nhttps://one.test, bucket default:\n"), text);
    assertTrue(text.contains("\nhttps://two.test, bucket b:\n"), text);
    assertTrue(text.contains("1 h 2 min"), text);
    assertFalse(text.contains("waits for"), text);
  }
}
