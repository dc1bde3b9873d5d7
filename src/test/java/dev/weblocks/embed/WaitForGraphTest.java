package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.LockEntry.Mode;
import dev.weblocks.embed.WaitForGraph.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitForGraphTest {

  private long lastRequest;

  private LockEntry entry(String name, Mode mode, int place, String client) {
    return entry(name, mode, place, ++lastRequest, /* reentrant= */ false, client);
  }

  private static LockEntry entry(
      String name, Mode mode, int place, long request, boolean reentrant, String client) {
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
    return entry(name, Mode.EXCLUSIVE, 0, client);
  }

  private LockEntry shared(String name, int place, String client) {
    return entry(name, Mode.SHARED, place, client);
  }

  private LockEntry waits(String name, int place, String client) {
    return entry(name, Mode.EXCLUSIVE, place, client);
  }

  /** A shared lock on a, by which its client may enter that name again. */
  private LockEntry reentrant(String client) {
    return entry("a", Mode.SHARED, 0, ++lastRequest, /* reentrant= */ true, client);
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
  void nobody_waits_where_there_are_no_requests() {
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
  void a_shared_request_waits_behind_an_exclusive_one_and_not_for_shared_holders() {
    assertEquals(
        List.of("B1-a->A0", "C2-a->B1"),
        waits(shared("a", 0, "A"), waits("a", 1, "B"), shared("a", 2, "C")));
  }

  @Test
  void shared_requests_that_wait_for_one_holder_do_not_wait_for_each_other() {
    assertEquals(
        List.of("B1-a->A0", "C2-a->A0"),
        waits(held("a", "A"), shared("a", 1, "B"), shared("a", 2, "C")));
  }

  @Test
  void of_the_requests_before_only_the_nearest_are_named() {
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
  void names_and_managers_keep_apart() {
    LockEntry other =
        new LockEntry(
            "https://one.test",
            "bucket",
            "two",
            "a",
            Mode.EXCLUSIVE,
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
  void two_clients_that_hold_what_the_other_wants_are_a_circle() {
    assertEquals(
        List.of(List.of("B1-a->A0", "A1-b->B0")),
        cycles(held("a", "A"), waits("a", 1, "B"), held("b", "B"), waits("b", 1, "A")));
  }

  @Test
  void a_client_that_waits_for_what_it_holds_is_a_circle() {
    assertEquals(List.of(List.of("A1-a->A0")), cycles(held("a", "A"), waits("a", 1, "A")));
    assertTrue(
        WaitForGraph.of(List.of(held("a", "A"), waits("a", 1, "A")))
            .waits()
            .getFirst()
            .isForItself());
    assertEquals(List.of(List.of("A1-a->A0")), cycles(shared("a", 0, "A"), waits("a", 1, "A")));
  }

  @Test
  void two_requests_of_one_client_in_one_queue_are_no_circle() {
    assertEquals(List.of(), cycles(held("a", "A"), waits("a", 1, "B"), waits("a", 2, "B")));
  }

  @Test
  void requests_that_a_client_made_side_by_side_are_no_circle() {
    // B waits for c behind nobody who waits, and for a, but holds nothing
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
  void a_circle_may_go_through_the_queue() {
    // A asks again for what it shares, behind one that waits for it to let go
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
  void of_several_shared_holders_one_is_enough_for_a_circle() {
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
  void each_circle_is_told_and_the_shortest_one_of_each_client() {
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
  void who_only_waits_for_a_circle_or_is_only_waited_for_is_not_in_it() {
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
  void who_may_enter_a_name_again_waits_for_the_locks_of_others_alone() {
    assertEquals(
        List.of("A1-a->B0"), waits(reentrant("A"), shared("a", 0, "B"), waits("a", 1, "A")));
    assertEquals(List.of(), cycles(reentrant("A"), shared("a", 0, "B"), waits("a", 1, "A")));
    // any of its locks will do
    assertEquals(
        List.of("A1-a->B0"),
        waits(shared("a", 0, "A"), shared("a", 0, "B"), reentrant("A"), waits("a", 1, "A")));
    // that of another client will not
    assertEquals(
        List.of(List.of("A1-a->A0")),
        cycles(shared("a", 0, "A"), reentrant("B"), waits("a", 1, "A")));
  }

  @Test
  void who_enters_a_name_again_goes_ahead_of_all_who_wait() {
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
  void two_who_enter_a_name_again_and_are_in_the_way_of_each_other_are_a_circle() {
    assertEquals(
        List.of(List.of("A1-a->B0", "B2-a->A0")),
        cycles(reentrant("A"), reentrant("B"), waits("a", 1, "A"), waits("a", 2, "B")));
  }

  @Test
  void a_circle_may_go_through_two_names_of_one_request() {
    LockEntry a = entry("a", Mode.EXCLUSIVE, 1, 100, /* reentrant= */ false, "B");
    LockEntry b = entry("b", Mode.EXCLUSIVE, 1, 100, /* reentrant= */ false, "B");
    assertEquals(
        List.of(List.of("B1-a->A0", "A2-b->B1")), cycles(held("a", "A"), a, b, waits("b", 2, "A")));
    // two requests side by side are none
    assertEquals(List.of(), cycles(held("a", "A"), a, waits("b", 1, "B"), waits("b", 2, "A")));
  }

  @Test
  void ten_thousand_requests_of_a_client_for_what_it_holds_are_one_circle() {
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
  void a_report_about_all_who_wait_tells_who_for_what_and_where() {
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
        circle: B waits for A waits for B\
        """,
        report.toString());
    assertTrue(DeadlockReport.of(List.of(held("a", "A"))).isEmpty());
    assertEquals("", DeadlockReport.of(List.of()).toString());
  }
}
