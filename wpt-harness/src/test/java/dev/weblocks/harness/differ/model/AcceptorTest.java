package dev.weblocks.harness.differ.model;

import static dev.weblocks.harness.differ.model.Programs.asyncRequest;
import static dev.weblocks.harness.differ.model.Programs.logs;
import static dev.weblocks.harness.differ.model.Programs.main;
import static dev.weblocks.harness.differ.model.Programs.realm;
import static dev.weblocks.harness.differ.model.Programs.request;
import static dev.weblocks.harness.differ.model.Programs.requestBy;
import static dev.weblocks.harness.differ.model.Programs.undefined;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.differ.model.Acceptor.Verdict;
import dev.weblocks.harness.differ.model.Program.Kind;
import dev.weblocks.harness.differ.model.Statement.Turn;
import dev.weblocks.harness.differ.model.Value.Thenable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The behaviours that the model allows, by the texts. */
class AcceptorTest {

  private static Verdict verdict(Program program, String... logs) {
    return verdict(program, Set.of(), logs);
  }

  private static Verdict verdict(Program program, Set<Deviation> deviations, String... logs) {
    return Acceptor.search(program, logs(logs), deviations, 100_000).verdict();
  }

  private static Statement.Later job(int id, Statement... body) {
    return new Statement.Later(id, Turn.PROMISE_JOB, List.of(body));
  }

  private static Value deferred() {
    return new Value.Deferred(1);
  }

  @Test
  void requests_of_one_agent_are_granted_in_order() {
    Program program = main(request(1, "a", undefined()), request(2, "a", undefined()));
    assertEquals(
        Verdict.CONFORMS,
        verdict(
            program,
            "main: 1 called lock a exclusive, 2 called lock a exclusive, 1 fulfilled undefined, 2"
                + " fulfilled undefined"));
    assertEquals(
        Verdict.DIFFERS,
        verdict(
            program,
            "main: 1 called lock a exclusive, 1 fulfilled undefined, 2 called lock a exclusive, 2"
                + " fulfilled undefined"),
        "2.4: the release grants the next lock before the promise is resolved");
    assertEquals(
        Verdict.DIFFERS,
        verdict(program, "main: 2 called lock a exclusive, 2 fulfilled undefined"));
  }

  @Test
  void observation_without_the_last_lines_is_cut_off() {
    Program program = main(request(1, "a", undefined()));
    assertEquals(Verdict.CUT_OFF, verdict(program, "main: 1 called lock a exclusive"));
  }

  @Test
  void requests_of_two_workers_are_granted_in_any_order() {
    Program program =
        Programs.of(
            realm("main", Kind.MAIN, new Statement.Start("one"), new Statement.Start("two")),
            realm("one", Kind.WORKER, request(1, "a", "ifAvailable=true", deferred())),
            realm("two", Kind.WORKER, request(2, "a", "ifAvailable=true", deferred())));
    String first = "one: 1 called lock a exclusive";
    String second = "two: 2 called lock a exclusive";
    assertEquals(Verdict.CONFORMS, verdict(program, first, "two: 2 called null"));
    assertEquals(Verdict.CONFORMS, verdict(program, "one: 1 called null", second));
    assertEquals(Verdict.DIFFERS, verdict(program, first, second));
  }

  @Test
  void microtasks_of_a_callback_run_before_its_lock_is_released() {
    Program program =
        main(
            request(
                1, "a", undefined(), job(2, job(3, job(4, job(5, new Statement.Query(6, null)))))));
    assertEquals(
        Verdict.CONFORMS,
        verdict(
            program,
            "main: 1 called lock a exclusive, 2, 3, 4, 5, 6 held [a exclusive] pending [], 1"
                + " fulfilled undefined"));
    assertEquals(
        Verdict.DIFFERS,
        verdict(
            program,
            "main: 1 called lock a exclusive, 2, 3, 4, 5, 6 held [] pending [], 1 fulfilled"
                + " undefined"));
  }

  @Test
  void then_of_a_returned_object_is_read_before_the_microtasks() {
    Program program = main(request(1, "a", new Thenable(2, Thenable.Kind.NOW), job(3)));
    String text = "main: 1 called lock a exclusive, 2 get then, 3, 2 then, 1 fulfilled t2";
    String late = "main: 1 called lock a exclusive, 3, 2 get then, 2 then, 1 fulfilled t2";
    assertEquals(Verdict.CONFORMS, verdict(program, text));
    assertEquals(Verdict.DIFFERS, verdict(program, late));
    Set<Deviation> deviation = EnumSet.of(Deviation.CONVERTS_AFTER_CHECKPOINT);
    assertEquals(Verdict.CONFORMS, verdict(program, deviation, late));
    assertEquals(Verdict.DIFFERS, verdict(program, deviation, text));
  }

  @Test
  void await_takes_one_job_for_a_promise_and_two_for_a_thenable() {
    Statement.Async promise =
        new Statement.Async(1, List.of(new Statement.Await(2, new Value.Settled(false, "s"))));
    assertEquals(
        Verdict.CONFORMS, verdict(main(promise, job(3, job(4))), "main: 2 awaited s, 3, 4"));
    Statement.Async thenable =
        new Statement.Async(1, List.of(new Statement.Await(2, new Thenable(5, Thenable.Kind.NOW))));
    assertEquals(
        Verdict.CONFORMS,
        verdict(main(thenable, job(3, job(4))), "main: 5 get then, 5 then, 3, 2 awaited t5, 4"));
  }

  @Test
  void promise_that_resolves_a_promise_takes_three_jobs() {
    Program program =
        main(
            new Statement.Settle(1, false, new Value.Settled(false, "s")),
            new Statement.React(1, deferred(), List.of()),
            job(2, job(3, job(4))));
    assertEquals(Verdict.CONFORMS, verdict(program, "main: 2, 3, 1 reaction s, 4"));
  }

  @Test
  void constructor_of_an_awaited_promise_is_read_once_at_once() {
    Program program =
        main(
            new Statement.Async(1, List.of(new Statement.Await(2, new Value.OwnConstructor(3)))),
            new Statement.Log(4));
    assertEquals(Verdict.CONFORMS, verdict(program, "main: 3 get constructor, 4, 2 awaited c3"));
  }

  @Test
  void stolen_lock_rejects_its_promise_and_keeps_running() {
    Program program =
        main(
            request(1, "a", deferred()),
            request(
                2,
                "a",
                "steal=true",
                undefined(),
                new Statement.Settle(1, false, new Value.Text("late"))));
    assertEquals(
        Verdict.CONFORMS,
        verdict(
            program,
            "main: 1 called lock a exclusive, 1 rejected AbortError, 2 called lock a exclusive, 2"
                + " fulfilled undefined"));
  }

  @Test
  void stolen_lock_whose_callback_has_returned_rejects_its_promise() {
    Program program =
        main(request(1, "a", undefined(), job(3, request(2, "a", "steal=true", undefined()))));
    String rejected =
        "main: 1 called lock a exclusive, 3, 1 rejected AbortError, 2 called lock a exclusive, 2"
            + " fulfilled undefined";
    String fulfilled =
        "main: 1 called lock a exclusive, 3, 1 fulfilled undefined, 2 called lock a exclusive, 2"
            + " fulfilled undefined";
    assertEquals(Verdict.CONFORMS, verdict(program, rejected));
    assertEquals(Verdict.DIFFERS, verdict(program, fulfilled));
    assertEquals(
        Verdict.CONFORMS, verdict(program, EnumSet.of(Deviation.RESOLVES_BY_REACTION), fulfilled));
  }

  @Test
  void abort_grants_the_shared_requests_behind_it() {
    Program program =
        main(
            request(1, "a", "mode=shared", deferred()),
            request(2, "a", "signal=1", undefined()),
            request(3, "a", "mode=shared", undefined()),
            new Statement.Later(
                4, Turn.TIMER, List.of(new Statement.Abort(1, "why"), new Statement.Log(5))));
    assertEquals(
        Verdict.CONFORMS,
        verdict(
            program,
            "main: 1 called lock a shared, 4, 5, 2 rejected why, 3 called lock a shared, 3"
                + " fulfilled undefined"));
    assertEquals(
        Verdict.CUT_OFF, verdict(program, "main: 1 called lock a shared, 4, 5, 2 rejected why"));
  }

  @Test
  void options_are_read_in_lexicographical_order_after_the_name() {
    Statement.Request request =
        new Statement.Request(
            1,
            null,
            false,
            new Statement.Name("a", Statement.Name.Form.OBJECT),
            new Statement.Options(
                Statement.Options.Form.PROXY,
                List.of(
                    new Statement.Member(
                        Statement.Key.STEAL, Statement.Member.Access.GETTER, "false"),
                    new Statement.Member(
                        Statement.Key.MODE, Statement.Member.Access.GETTER, "object"))),
            new Statement.Callback.NotCallable());
    assertEquals(
        Verdict.CONFORMS,
        verdict(
            main(request),
            "main: 1 name, 1 trap ifAvailable, 1 trap mode, 1 get mode, 1m name, 1 trap signal, 1"
                + " trap steal, 1 get steal, 1 rejected TypeError"));
  }

  @Test
  void end_of_a_frame_releases_its_locks_and_its_reactions_never_run() {
    Program program =
        Programs.of(
            realm(
                "main",
                Kind.MAIN,
                new Statement.Start("one"),
                new Statement.Later(
                    1,
                    Turn.TIMER,
                    List.of(
                        requestBy("one", 2, "b", "", undefined()),
                        request(3, "a", undefined()),
                        new Statement.End("one")))),
            realm("one", Kind.FRAME, request(4, "a", deferred())));
    String frame = "one: 4 called lock a exclusive";
    String granted = "3 called lock a exclusive, 3 fulfilled undefined";
    assertEquals(
        Verdict.CONFORMS,
        verdict(program, "main: 1, 2 called lock b exclusive, " + granted, frame));
    assertEquals(
        Verdict.DIFFERS,
        verdict(
            program,
            "main: 1, 2 called lock b exclusive, 2 fulfilled undefined, " + granted,
            frame));
    String without = "main: 1, " + granted;
    assertEquals(Verdict.DIFFERS, verdict(program, without, frame));
    assertEquals(
        Verdict.CONFORMS,
        verdict(program, EnumSet.of(Deviation.ENDED_CLIENT_CALLS_NOTHING), without, frame));
  }

  @Test
  void lock_manager_of_a_removed_frame_refuses_with_its_own_error() {
    Program program =
        Programs.of(
            realm(
                "main",
                Kind.MAIN,
                new Statement.Start("one"),
                new Statement.Later(
                    1,
                    Turn.TIMER,
                    List.of(new Statement.End("one"), requestBy("one", 2, "b", "", undefined())))),
            realm("one", Kind.FRAME, new Statement.Log(3)));
    assertEquals(
        Verdict.CONFORMS,
        verdict(program, "main: 1, 2 rejected InvalidStateError of another realm", "one: 3"));
  }

  @Test
  void removed_frame_lets_shared_requests_pass_unless_a_deviation_keeps_them() {
    Program program =
        Programs.of(
            realm(
                "main",
                Kind.MAIN,
                request(1, "a", "mode=shared", deferred()),
                new Statement.Start("one"),
                new Statement.Later(
                    2,
                    Turn.TIMER,
                    List.of(
                        request(3, "a", "mode=shared", undefined()), new Statement.End("one")))),
            realm("one", Kind.FRAME, new Statement.Log(4), request(5, "a", undefined())));
    String waits = "main: 1 called lock a shared, 2";
    String passes = waits + ", 3 called lock a shared, 3 fulfilled undefined";
    assertEquals(Verdict.CONFORMS, verdict(program, passes, "one: 4"));
    assertEquals(Verdict.CUT_OFF, verdict(program, waits, "one: 4"));
    assertEquals(
        Verdict.CONFORMS,
        verdict(program, EnumSet.of(Deviation.ENDED_CLIENT_KEEPS_QUEUES), waits, "one: 4"));
  }

  @Test
  void terminated_worker_may_log_only_its_first_lines() {
    Program program =
        Programs.of(
            realm("main", Kind.MAIN, new Statement.Start("one"), new Statement.End("one")),
            realm("one", Kind.WORKER, new Statement.Log(1), request(2, "a", undefined())));
    assertEquals(Verdict.CONFORMS, verdict(program));
    assertEquals(Verdict.CONFORMS, verdict(program, "one: 1"));
    assertEquals(
        Verdict.CONFORMS,
        verdict(program, "one: 1, 2 called lock a exclusive, 2 fulfilled undefined"));
    assertEquals(Verdict.DIFFERS, verdict(program, "one: 2 called lock a exclusive"));
  }

  @Test
  void worker_that_closes_gets_no_answers() {
    Program program =
        Programs.of(
            realm("main", Kind.MAIN, new Statement.Start("one")),
            realm(
                "one",
                Kind.WORKER,
                request(1, "a", undefined(), new Statement.Log(2), new Statement.Close())));
    String called = "one: 1 called lock a exclusive, 2";
    assertEquals(Verdict.CONFORMS, verdict(program, called));
    assertEquals(Verdict.DIFFERS, verdict(program, called + ", 1 fulfilled undefined"));
  }

  @Test
  void constructor_of_a_returned_promise_is_read_once() {
    Program program = main(request(1, "a", new Value.OwnConstructor(2)));
    String once = "main: 1 called lock a exclusive, 2 get constructor, 1 fulfilled c2";
    String twice =
        "main: 1 called lock a exclusive, 2 get constructor, 2 get constructor, 1 fulfilled c2";
    assertEquals(Verdict.CONFORMS, verdict(program, once));
    assertEquals(Verdict.DIFFERS, verdict(program, twice));
    assertEquals(
        Verdict.CONFORMS, verdict(program, EnumSet.of(Deviation.READS_CONSTRUCTOR), twice));
  }

  @Test
  void async_callback_holds_its_lock_while_it_awaits() {
    Program program =
        main(
            asyncRequest(1, "a", undefined(), new Statement.Await(2, deferred())),
            request(3, "a", "ifAvailable=true", undefined()),
            new Statement.Later(
                4, Turn.TIMER, List.of(new Statement.Settle(1, true, new Value.Text("no")))));
    assertEquals(
        Verdict.CONFORMS,
        verdict(
            program,
            "main: 1 called lock a exclusive, 3 called null, 3 fulfilled undefined, 4, 2 awaited"
                + " rejected no, 1 fulfilled undefined"));
  }

  @Test
  void difference_comes_with_the_steps_of_the_draft_before_it() {
    Acceptor.Result result =
        Acceptor.search(
            main(request(1, "a", undefined())),
            logs("main: 1 called lock a shared"),
            Set.of(),
            1_000);
    assertEquals(Verdict.DIFFERS, result.verdict());
    assertTrue(result.closest().contains("   4.4 step 2.14, grant a exclusive"), result.toString());
    assertEquals(
        "=> main logged '1 called lock a shared', the model '1 called lock a exclusive'",
        result.closest().getLast());
  }

  @Test
  void search_that_reaches_its_limit_is_undecided() {
    Program program =
        Programs.of(
            realm("main", Kind.MAIN, new Statement.Start("one"), new Statement.Start("two")),
            realm("one", Kind.WORKER, request(1, "a", undefined()), request(2, "b", undefined())),
            realm("two", Kind.WORKER, request(3, "a", undefined()), request(4, "b", undefined())));
    assertEquals(
        Verdict.UNDECIDED,
        Acceptor.search(program, logs("one: 1 called lock c exclusive"), Set.of(), 3).verdict());
  }
}
