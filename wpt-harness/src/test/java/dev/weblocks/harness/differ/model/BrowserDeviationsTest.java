package dev.weblocks.harness.differ.model;

import static dev.weblocks.harness.differ.model.Programs.logs;
import static dev.weblocks.harness.differ.model.Programs.main;
import static dev.weblocks.harness.differ.model.Programs.realm;
import static dev.weblocks.harness.differ.model.Programs.request;
import static dev.weblocks.harness.differ.model.Programs.requestBy;
import static dev.weblocks.harness.differ.model.Programs.undefined;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.harness.differ.model.Acceptor.Verdict;
import dev.weblocks.harness.differ.model.Program.Kind;
import dev.weblocks.harness.differ.model.Statement.Turn;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Small programs with lines that browsers log, and the deviation that explains each. */
class BrowserDeviationsTest {

  private static final int LIMIT = 100_000;

  private static void assertNeeds(Set<Deviation> deviations, Program program, String... lines) {
    assertEquals(Verdict.CONFORMS, verdict(program, deviations, lines));
    for (Deviation each : deviations) {
      Set<Deviation> others = EnumSet.copyOf(deviations);
      others.remove(each);
      assertEquals(Verdict.DIFFERS, verdict(program, others, lines), "without " + each);
    }
  }

  private static Verdict verdict(Program program, Set<Deviation> deviations, String... lines) {
    return Acceptor.search(program, logs(lines), deviations, LIMIT).verdict();
  }

  @Test
  void abort_before_the_check_of_access_is_lost() {
    assertNeeds(
        EnumSet.of(Deviation.CHECKS_ACCESS),
        main(request(1, "a", "signal=1", undefined()), new Statement.Abort(1, "r")),
        "main: 1 called lock a exclusive, 1 fulfilled undefined");
  }

  @Test
  void later_request_overtakes_those_that_wait_for_their_check() {
    assertNeeds(
        EnumSet.of(Deviation.CHECKS_ACCESS),
        main(
            request(1, "a", new Value.Deferred(1)),
            new Statement.Query(2, null),
            new Statement.Later(3, Turn.TIMER, List.of(request(4, "b", new Value.Deferred(1))))),
        "main: 3, 1 called lock a exclusive, 4 called lock b exclusive, 2 held [a exclusive,b"
            + " exclusive] pending []");
  }

  @Test
  void query_of_the_runtime_ends_the_checks_of_the_main_window() {
    assertNeeds(
        EnumSet.of(Deviation.CHECKS_ACCESS),
        Programs.of(
            realm("main", Kind.MAIN, new Statement.Start("one")),
            realm(
                "one",
                Kind.FRAME,
                request(1, "a", "signal=1", undefined()),
                requestBy("main", 2, "b", "signal=1", undefined()),
                new Statement.Abort(1, "r"))),
        "one: 2 rejected r, 1 called lock a exclusive, 1 fulfilled undefined");
  }

  @Test
  void callbacks_are_called_in_one_task() {
    Program program =
        main(
            request(1, "a", undefined()),
            request(2, "b", undefined()),
            request(3, "c", undefined()));
    String lines =
        "main: 1 called lock a exclusive, 2 called lock b exclusive, 1 fulfilled undefined, 2"
            + " fulfilled undefined, 3 called lock c exclusive, 3 fulfilled undefined";
    Set<Deviation> deviations =
        EnumSet.of(Deviation.RESOLVES_BY_REACTION, Deviation.SEVERAL_LOCK_SOURCES);
    assertEquals(Verdict.DIFFERS, verdict(program, deviations, lines));
    deviations.add(Deviation.JOINS_LOCK_TASKS);
    assertEquals(Verdict.CONFORMS, verdict(program, deviations, lines));
  }

  @Test
  void theft_comes_after_the_callback_of_the_thief() {
    assertNeeds(
        EnumSet.of(Deviation.SEVERAL_LOCK_SOURCES),
        main(
            request(1, "a", new Value.Deferred(1)),
            request(2, "a", "steal=true", new Value.Deferred(1))),
        "main: 1 called lock a exclusive, 2 called lock a exclusive, 1 rejected AbortError");
  }

  @Test
  void theft_and_callback_are_one_task() {
    assertNeeds(
        EnumSet.of(Deviation.SEVERAL_LOCK_SOURCES, Deviation.JOINS_LOCK_TASKS),
        main(
            request(1, "a", new Value.Deferred(1)),
            request(2, "a", "steal=true", new Value.Deferred(1), job(3))),
        "main: 1 called lock a exclusive, 2 called lock a exclusive, 1 rejected AbortError, 3");
  }

  @Test
  void exception_of_a_callback_rejects_after_the_microtasks() {
    Statement.Request returns =
        request(1, "a", new Value.Text("no"), job(2, job(3, job(4, job(5)))));
    Statement.Callback.Function function = (Statement.Callback.Function) returns.callback();
    Program program =
        main(
            new Statement.Request(
                1,
                null,
                false,
                returns.name(),
                returns.options(),
                new Statement.Callback.Function(false, function.body(), true, function.result())));
    Set<Deviation> deviations =
        EnumSet.of(
            Deviation.CONVERTS_AFTER_CHECKPOINT,
            Deviation.RESOLVES_BY_REACTION,
            Deviation.USES_PROMISE_AS_IT_IS,
            Deviation.SEVERAL_LOCK_SOURCES,
            Deviation.JOINS_LOCK_TASKS);
    assertEquals(
        Verdict.CONFORMS,
        verdict(program, deviations, "main: 1 called lock a exclusive, 2, 3, 4, 5, 1 rejected no"));
  }

  @Test
  void value_without_a_lock_resolves_the_promise_of_the_request() {
    assertNeeds(
        EnumSet.of(Deviation.USES_PROMISE_AS_IT_IS),
        main(
            request(1, "a", new Value.Deferred(1)),
            request(2, "a", "ifAvailable=true", new Value.Text("v"), job(3, job(4, job(5))))),
        "main: 1 called lock a exclusive, 2 called null, 3, 2 fulfilled v, 4, 5");
  }

  @Test
  void request_overtakes_one_of_another_lock_manager() {
    assertNeeds(
        EnumSet.of(Deviation.SEVERAL_CONNECTIONS),
        withFrame(
            request(1, "a", new Value.Deferred(1)),
            requestBy("main", 2, "a", "ifAvailable=true", undefined())),
        "one: 2 called lock a exclusive, 2 fulfilled undefined, 1 called lock a exclusive");
  }

  @Test
  void request_overtakes_a_query_of_another_lock_manager() {
    assertNeedsConnections(
        withFrame(
            request(
                1,
                "a",
                undefined(),
                new Statement.Query(2, null),
                requestBy("main", 3, "a", "", undefined()))),
        "one: 1 called lock a exclusive, 1 fulfilled undefined, 2 held [a exclusive] pending [a"
            + " exclusive], 3 called lock a exclusive, 3 fulfilled undefined");
  }

  @Test
  void query_overtakes_the_release_by_another_lock_manager() {
    assertNeedsConnections(
        withFrame(
            request(1, "a", undefined()),
            new Statement.React(
                2, new Value.RequestPromise(1), List.of(new Statement.Query(3, "main")))),
        "one: 1 called lock a exclusive, 1 fulfilled undefined, 2 reaction undefined, 3 held [a"
            + " exclusive] pending []");
  }

  private static void assertNeedsConnections(Program program, String lines) {
    Set<Deviation> deviations = EnumSet.of(Deviation.RESOLVES_BY_REACTION);
    assertEquals(Verdict.DIFFERS, verdict(program, deviations, lines));
    deviations.add(Deviation.SEVERAL_CONNECTIONS);
    assertEquals(Verdict.CONFORMS, verdict(program, deviations, lines));
  }

  private static Program withFrame(Statement... body) {
    return Programs.of(
        realm("main", Kind.MAIN, new Statement.Start("one")), realm("one", Kind.FRAME, body));
  }

  @Test
  void task_runs_inside_open() {
    assertNeeds(
        EnumSet.of(Deviation.OPEN_RUNS_TASKS),
        withWindow(
            request(1, "a", new Value.Deferred(1)),
            new Statement.Start("one"),
            new Statement.Log(2)),
        "main: 1 called lock a exclusive, 2");
  }

  @Test
  void microtask_runs_inside_open() {
    assertNeeds(
        EnumSet.of(Deviation.OPEN_RUNS_TASKS),
        withWindow(job(1), new Statement.Start("one"), new Statement.Log(2)),
        "main: 1, 2");
  }

  @Test
  void callback_inside_open_ends_without_a_checkpoint() {
    Statement.Later settles = job(3, new Statement.Settle(1, false, new Value.Text("v")));
    Program program =
        withWindow(
            Programs.asyncRequest(1, "b", new Value.Deferred(1)),
            request(2, "a", undefined(), settles),
            new Statement.Start("one"));
    String lines =
        "main: 1 called lock b exclusive, 2 called lock a exclusive, 3, 2 fulfilled undefined, 1"
            + " fulfilled v";
    Set<Deviation> deviations = EnumSet.of(Deviation.RESOLVES_BY_REACTION);
    assertEquals(Verdict.DIFFERS, verdict(program, deviations, lines));
    deviations.add(Deviation.OPEN_RUNS_TASKS);
    assertEquals(Verdict.CONFORMS, verdict(program, deviations, lines));
  }

  @Test
  void window_is_not_ended_inside_its_open() {
    Program program =
        Programs.of(
            realm(
                "main",
                Kind.MAIN,
                job(1, new Statement.End("one")),
                new Statement.Start("one"),
                request(2, "a", undefined())),
            realm("one", Kind.WINDOW, request(3, "a", new Value.Deferred(1))));
    String[] lines = {"main: 1", "one: 3 called lock a exclusive"};
    assertEquals(Verdict.CUT_OFF, verdict(program, Set.of(), lines), "the end grants 2");
    assertEquals(Verdict.CONFORMS, verdict(program, EnumSet.of(Deviation.OPEN_RUNS_TASKS), lines));
  }

  private static Program withWindow(Statement... body) {
    return Programs.of(realm("main", Kind.MAIN, body), realm("one", Kind.WINDOW));
  }

  private static Statement.Later job(int id, Statement... body) {
    return new Statement.Later(id, Turn.PROMISE_JOB, List.of(body));
  }

  @Test
  void callbacks_of_two_lock_managers_change_their_order() {
    assertNeeds(
        EnumSet.of(Deviation.SEVERAL_LOCK_SOURCES),
        withFrame(
            request(1, "a", new Value.Deferred(1)),
            requestBy("main", 2, "b", "", new Value.Deferred(1))),
        "one: 2 called lock b exclusive, 1 called lock a exclusive");
  }

  @Test
  void constructor_of_a_returned_promise_is_not_read() {
    assertNeeds(
        EnumSet.of(Deviation.RESOLVES_BY_REACTION, Deviation.USES_PROMISE_AS_IT_IS),
        main(request(1, "a", new Value.OwnConstructor(2))),
        "main: 1 called lock a exclusive, 1 fulfilled c2");
  }

  @Test
  void abort_of_a_granted_request_releases_its_lock_at_once() {
    assertNeeds(
        EnumSet.of(Deviation.ABORT_RELEASES_LOCK),
        main(
            request(1, "a", "signal=1", undefined()),
            new Statement.Abort(1, "r"),
            new Statement.Query(2, null)),
        "main: 1 rejected r, 2 held [] pending []");
  }

  @Test
  void reaction_does_not_settle_a_promise_of_a_removed_frame() {
    Statement settles = later(4, new Statement.Settle(1, false, new Value.Text("v")));
    Statement removes = later(3, new Statement.End("one"), settles);
    Program program =
        Programs.of(
            realm(
                "main",
                Kind.MAIN,
                new Statement.Start("one"),
                later(1, requestBy("one", 2, "a", "", new Value.Deferred(1), removes))),
            realm("one", Kind.FRAME));

    assertEquals(
        Verdict.CONFORMS,
        verdict(
            program,
            EnumSet.of(Deviation.RESOLVES_BY_REACTION),
            "main: 1, 2 called lock a exclusive, 3, 4"));
  }

  private static Statement.Later later(int id, Statement... body) {
    return new Statement.Later(id, Turn.TIMER, List.of(body));
  }
}
