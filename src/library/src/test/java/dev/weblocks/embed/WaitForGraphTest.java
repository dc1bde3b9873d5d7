package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.WaitForGraph.Wait;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitForGraphTest {

  private long lastRequest;

  private LockEntry entry(String name, LockMode mode, int place, String client) {
    return entry(name, mode, place, ++lastRequest, /* reentrant= */ false, client);
  }

  private static LockEntry entry(
      String name, LockMode mode, int place, long request, boolean reentrant, String client) {
    return new LockEntry(
        "https://one.test",
        "default",
        "one",
        name,
        mode,
        place,
        request,
        reentrant,
        client,
        client,
        "https://one.test/",
        Duration.ofMillis(1500),
        "https://one.test/a.js:3:4");
  }

  private LockEntry held(String name, String client) {
    return entry(name, LockMode.EXCLUSIVE, 0, client);
  }

  private LockEntry shared(String name, int place, String client) {
    return entry(name, LockMode.SHARED, place, client);
  }

  private LockEntry waits(String name, int place, String client) {
    return entry(name, LockMode.EXCLUSIVE, place, client);
  }

  /** A held shared lock on {@code a} that its client may enter again. */
  private LockEntry reentrant(String client) {
    return entry("a", LockMode.SHARED, 0, ++lastRequest, /* reentrant= */ true, client);
  }

  private static String text(Wait wait) {
    return wait.request().clientId()
        + wait.request().place()
        + "-"
        + wait.request().name()
        + "->"
        + wait.obstacle().clientId()
        + wait.obstacle().place();
  }

  private static List<String> waits(LockEntry... entries) {
    return WaitForGraph.of(List.of(entries)).waits().stream().map(WaitForGraphTest::text).toList();
  }

  private static List<List<String>> cycles(LockEntry... entries) {
    return WaitForGraph.of(List.of(entries)).cycles().stream()
        .map(cycle -> cycle.stream().map(WaitForGraphTest::text).toList())
        .toList();
  }

  @Test
  void graph_without_requests_has_no_waits() {
    assertEquals(List.of(), waits());
    assertEquals(List.of(), waits(held("a", "A"), held("b", "B")));
    assertEquals(List.of(), cycles(held("a", "A")));
  }

  @Test
  void an_exclusive_request_waits_for_each_shared_holder() {
    assertEquals(
        List.of("C1-a->A0", "C1-a->B0"),
        waits(shared("a", 0, "A"), shared("a", 0, "B"), waits("a", 1, "C")));
  }

  @Test
  void shared_request_waits_for_exclusive_requests_but_not_shared_holders() {
    assertEquals(
        List.of("B1-a->A0", "C2-a->B1"),
        waits(shared("a", 0, "A"), waits("a", 1, "B"), shared("a", 2, "C")));
  }

  @Test
  void shared_requests_do_not_wait_for_each_other() {
    assertEquals(
        List.of("B1-a->A0", "C2-a->A0"),
        waits(held("a", "A"), shared("a", 1, "B"), shared("a", 2, "C")));
  }

  @Test
  void request_waits_only_for_the_nearest_requests_before_it() {
    assertEquals(
        List.of(
            "B1-a->A0",
            "C2-a->A0",
            "C2-a->B1",
            "D3-a->A0",
            "D3-a->C2",
            "E4-a->A0",
            "E4-a->C2",
            "F5-a->A0",
            "F5-a->C2",
            "F5-a->D3",
            "F5-a->E4"),
        waits(
            held("a", "A"),
            waits("a", 1, "B"),
            waits("a", 2, "C"),
            shared("a", 3, "D"),
            shared("a", 4, "E"),
            waits("a", 5, "F")));
  }

  @Test
  void locks_of_different_names_or_managers_do_not_conflict() {
    LockEntry other =
        new LockEntry(
            "https://one.test",
            "bucket",
            "two",
            "a",
            LockMode.EXCLUSIVE,
            1,
            ++lastRequest,
            /* reentrant= */ false,
            "B",
            "B",
            "",
            Duration.ZERO,
            null);
    assertEquals(List.of(), waits(held("a", "A"), other));
    assertEquals(List.of(), waits(held("a", "A"), waits("b", 1, "B")));
  }

  @Test
  void two_clients_that_wait_for_each_others_lock_are_a_cycle() {
    assertEquals(
        List.of(List.of("B1-a->A0", "A1-b->B0")),
        cycles(held("a", "A"), waits("a", 1, "B"), held("b", "B"), waits("b", 1, "A")));
  }

  @Test
  void client_that_waits_for_its_own_lock_is_a_cycle() {
    assertEquals(List.of(List.of("A1-a->A0")), cycles(held("a", "A"), waits("a", 1, "A")));
    assertTrue(
        WaitForGraph.of(List.of(held("a", "A"), waits("a", 1, "A")))
            .waits()
            .getFirst()
            .isForItself());
    assertEquals(List.of(List.of("A1-a->A0")), cycles(shared("a", 0, "A"), waits("a", 1, "A")));
  }

  @Test
  void two_requests_of_one_client_in_one_queue_are_no_cycle() {
    assertEquals(List.of(), cycles(held("a", "A"), waits("a", 1, "B"), waits("a", 2, "B")));
  }

  @Test
  void parallel_requests_of_a_client_are_no_cycle() {
    // B waits for a, and for c without a request before it, but holds no lock
    assertEquals(
        List.of(),
        cycles(
            held("a", "A"),
            waits("a", 1, "B"),
            held("c", "C"),
            waits("c", 1, "B"),
            waits("c", 2, "A")));
  }

  @Test
  void cycle_may_include_a_wait_for_an_earlier_request() {
    // A requests its shared lock again, behind a request that waits for A's release
    assertEquals(
        List.of(List.of("B1-a->A0", "A2-a->B1")),
        cycles(shared("a", 0, "A"), waits("a", 1, "B"), shared("a", 2, "A")));
    // the same between two names
    assertEquals(
        List.of(List.of("B1-a->A0", "A1-b->C0", "C2-a->B1")),
        cycles(
            shared("a", 0, "A"),
            waits("a", 1, "B"),
            shared("a", 2, "C"),
            held("b", "C"),
            waits("b", 1, "A")));
  }

  @Test
  void one_of_several_shared_holders_is_enough_for_a_cycle() {
    assertEquals(
        List.of(List.of("C1-a->B0", "B1-b->C0")),
        cycles(
            shared("a", 0, "A"),
            shared("a", 0, "B"),
            waits("a", 1, "C"),
            held("b", "C"),
            waits("b", 1, "B")));
  }

  @Test
  void a_shortest_cycle_is_found_for_each_client_in_a_cycle() {
    List<List<String>> cycles =
        cycles(
            held("a", "A"),
            waits("a", 1, "B"),
            held("b", "B"),
            waits("b", 1, "A"),
            held("c", "C"),
            waits("c", 1, "D"),
            held("d", "D"),
            waits("d", 1, "C"));
    assertEquals(List.of(List.of("B1-a->A0", "A1-b->B0"), List.of("D1-c->C0", "C1-d->D0")), cycles);
    assertEquals(
        List.of(List.of("C1-a->B0", "B1-c->C0"), List.of("A1-b->B0", "B1-c->C0", "C1-a->A0")),
        cycles(
            shared("a", 0, "A"),
            shared("a", 0, "B"),
            waits("a", 1, "C"),
            held("b", "B"),
            waits("b", 1, "A"),
            held("c", "C"),
            waits("c", 1, "B")));
  }

  @Test
  void client_that_waits_for_a_cycle_is_not_part_of_it() {
    assertEquals(
        List.of(List.of("B1-a->A0", "A1-b->B0")),
        cycles(
            held("a", "A"),
            waits("a", 1, "B"),
            waits("a", 2, "X"),
            held("b", "B"),
            waits("b", 1, "A"),
            held("c", "Y"),
            waits("c", 1, "B")));
  }

  @Test
  void reentrant_request_waits_only_for_locks_of_other_clients() {
    assertEquals(
        List.of("A1-a->B0"), waits(reentrant("A"), shared("a", 0, "B"), waits("a", 1, "A")));
    assertEquals(List.of(), cycles(reentrant("A"), shared("a", 0, "B"), waits("a", 1, "A")));
    // any lock of the same client allows it
    assertEquals(
        List.of("A1-a->B0"),
        waits(shared("a", 0, "A"), shared("a", 0, "B"), reentrant("A"), waits("a", 1, "A")));
    // a lock of another client does not
    assertEquals(
        List.of(List.of("A1-a->A0")),
        cycles(shared("a", 0, "A"), reentrant("B"), waits("a", 1, "A")));
  }

  @Test
  void reentrant_request_overtakes_all_waiting_requests() {
    assertEquals(
        List.of("C1-a->A0", "C1-a->B0", "A2-a->B0", "D3-a->C1", "D3-a->A2"),
        waits(
            reentrant("A"),
            shared("a", 0, "B"),
            waits("a", 1, "C"),
            waits("a", 2, "A"),
            shared("a", 3, "D")));
  }

  @Test
  void two_reentrant_requests_that_block_each_other_are_a_cycle() {
    assertEquals(
        List.of(List.of("A1-a->B0", "B2-a->A0")),
        cycles(reentrant("A"), reentrant("B"), waits("a", 1, "A"), waits("a", 2, "B")));
  }

  @Test
  void cycle_may_go_through_two_names_of_one_request() {
    LockEntry a = entry("a", LockMode.EXCLUSIVE, 1, 100, /* reentrant= */ false, "B");
    LockEntry b = entry("b", LockMode.EXCLUSIVE, 1, 100, /* reentrant= */ false, "B");
    assertEquals(
        List.of(List.of("B1-a->A0", "A2-b->B1")), cycles(held("a", "A"), a, b, waits("b", 2, "A")));
    // two parallel requests are no cycle
    assertEquals(List.of(), cycles(held("a", "A"), a, waits("b", 1, "B"), waits("b", 2, "A")));
  }

  @Test
  void ten_thousand_requests_for_a_clients_own_lock_are_one_cycle() {
    List<LockEntry> entries = new ArrayList<>();
    entries.add(held("a", "A"));
    for (int place = 1; place <= 10_000; place++) {
      entries.add(waits("a", place, "A"));
    }
    WaitForGraph graph = WaitForGraph.of(entries);
    assertEquals(19_999, graph.waits().size());
    assertEquals(1, graph.cycles().size());
    assertEquals(1, graph.cycles().getFirst().size());
  }

  @Test
  void report_lists_each_wait_with_its_holder_and_position() {
    DeadlockReport report =
        DeadlockReport.of(
            List.of(held("a", "A"), waits("a", 1, "B"), held("b", "B"), waits("b", 1, "A")));
    assertTrue(report.hasCycle());
    assertFalse(report.isEmpty());
    assertEquals(
        """
        B has waited 1.5 s for lock 'a' (exclusive), at https://one.test/a.js:3:4
          held by A for 1.5 s, at https://one.test/a.js:3:4
        A has waited 1.5 s for lock 'b' (exclusive), at https://one.test/a.js:3:4
          held by B for 1.5 s, at https://one.test/a.js:3:4
        cycle: B waits for A waits for B\
        """,
        report.toString());
    assertTrue(DeadlockReport.of(List.of(held("a", "A"))).isEmpty());
    assertEquals("", DeadlockReport.of(List.of()).toString());
  }
}
