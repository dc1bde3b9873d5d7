package dev.weblocks.locks.earlydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.Variant;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Behaviour of the early draft where its text is open, and of locks when agents end or freeze. Each
 * test runs under several seeds, since the result must not depend on the schedule. The tests in
 * {@code wpt-harness/tests/early-draft} cover the rest.
 */
class EarlyDraftBehaviourTest {

  private static final int SEEDS = TestSize.seeds(8);

  /** Runs the same steps under every seed. */
  private static void forEachSeed(Consumer<Scenario> steps) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed, Set.of(Variant.EARLY_DRAFT))) {
        steps.accept(scenario);
      }
    }
  }

  /** Expects the same log of one window under every seed. */
  private static void assertLog(List<String> lines, String script) {
    forEachSeed(scenario -> assertEquals(lines, scenario.window(script).run()));
  }

  @Test
  void interfaces_are_those_of_the_early_draft() {
    assertLog(
        List.of(
            "acquire,constructor,forceRelease,queryState",
            "constructor,mode,scope",
            "2 1 0",
            "undefined undefined"),
        """
        const names = c => Object.getOwnPropertyNames(c.prototype).sort().join();
        console.log(names(LockManager));
        console.log(names(Lock));
        const {acquire, forceRelease, queryState} = LockManager.prototype;
        console.log(acquire.length, forceRelease.length, queryState.length);
        console.log(typeof navigator.locks.request, typeof StorageBucket.prototype.locks);
        """);
  }

  @Test
  void callback_runs_inside_acquire_when_the_lock_is_not_available() {
    assertLog(
        List.of("granted", "null", "after acquire", "microtask of the callback", "mine"),
        """
        navigator.locks.acquire(['a', 'b'], async () => {
          console.log('granted');
          const p = navigator.locks.acquire('b', {ifAvailable: true}, lock => {
            console.log(String(lock));
            Promise.resolve().then(() => console.log('microtask of the callback'));
            return 'mine';
          });
          console.log('after acquire');
          console.log(await p);
        });
        """);
  }

  @Test
  void callback_inside_acquire_may_throw_and_acquire_again() {
    assertLog(
        List.of("again null", "Error: mine", "granted c"),
        """
        navigator.locks.acquire('a', async () => {
          const p = navigator.locks.acquire('a', {ifAvailable: true}, () => {
            navigator.locks.acquire('a', {ifAvailable: true}, l => console.log('again', String(l)));
            navigator.locks.acquire('c', {ifAvailable: true}, l => console.log('granted', l.scope[0]));
            throw new Error('mine');
          });
          await p.catch(e => console.log(String(e)));
        });
        """);
  }

  @Test
  void callback_of_a_granted_request_runs_in_a_later_task() {
    assertLog(
        List.of("after acquire", "microtask", "callback a,b exclusive"),
        """
        navigator.locks.acquire(['b', 'a'], {ifAvailable: true},
            lock => console.log('callback', lock.scope.join(), lock.mode));
        Promise.resolve().then(() => console.log('microtask'));
        console.log('after acquire');
        """);
  }

  @Test
  void lock_is_free_immediately_after_its_waiting_promise_settles() {
    assertLog(
        List.of("available true", "available true"),
        """
        (async () => {
          for (const result of [1, Promise.resolve(2)]) {
            await navigator.locks.acquire('a', () => result);
            let got = false;
            await navigator.locks.acquire('a', {ifAvailable: true}, lock => { got = lock !== null; });
            console.log('available', got);
          }
        })();
        """);
  }

  @Test
  void promise_of_a_lock_that_is_released_by_force_is_rejected() {
    assertLog(
        List.of(
            "granted",
            "AbortError: The lock was released by force. true",
            "done undefined",
            "next is granted",
            "old holder settles"),
        """
        let settle;
        navigator.locks.acquire(['a', 'b'], () => {
          console.log('granted');
          setTimeout(release, 5);
          return new Promise(resolve => { settle = resolve; });
        }).then(() => console.log('resolved'),
            e => console.log(`${e.name}: ${e.message}`, e instanceof DOMException));
        async function release() {
          console.log('done', await navigator.locks.forceRelease(['x', 'b']));
          await navigator.locks.acquire('a', () => console.log('next is granted'));
          console.log('old holder settles');
          settle();
        }
        """);
  }

  @Test
  void abort_rejects_with_a_new_abort_error() {
    assertLog(
        List.of("AbortError true false 0", "AbortError true false 0"),
        """
        (async () => {
          navigator.locks.acquire('a', () => new Promise(() => {}));
          const controller = new AbortController();
          const reason = new TypeError('mine');
          const waits = navigator.locks.acquire('a', {signal: controller.signal}, () => {});
          setTimeout(() => controller.abort(reason), 5);
          const tell = async p => {
            const e = await p.then(() => {}, e => e);
            const {pending} = await navigator.locks.queryState();
            console.log(e.name, e instanceof DOMException, e === reason, pending.length);
          };
          await tell(waits);
          await tell(navigator.locks.acquire('b', {signal: controller.signal},
              () => console.log('granted though aborted')));
        })();
        """);
  }

  @Test
  void abort_after_the_grant_is_ignored() {
    assertLog(
        List.of("granted", "done"),
        """
        const controller = new AbortController();
        navigator.locks.acquire('a', {signal: controller.signal}, lock => {
          console.log('granted');
          controller.abort();
          return 'done';
        }).then(console.log, e => console.log(e.name));
        """);
  }

  @Test
  void then_of_a_returned_thenable_is_called_twice() {
    assertLog(
        List.of("microtask of the callback", "then", "then", "one", "gone"),
        """
        let calls = 0;
        const thenable = {
          then(resolve) {
            console.log('then');
            resolve(calls++ === 0 ? 'zero' : 'one');
          },
        };
        navigator.locks.acquire('a', () => {
          Promise.resolve().then(() => console.log('microtask of the callback'));
          return thenable;
        }).then(async v => {
          console.log(v);
          const {held} = await navigator.locks.queryState();
          console.log(held.length === 0 ? 'gone' : 'held');
        });
        """);
  }

  @Test
  void rejected_promise_returned_by_the_callback_is_handled() {
    assertLog(
        List.of("caught mine", "caught mine"),
        """
        addEventListener('unhandledrejection', () => console.log('unhandled'));
        const error = new Error('mine');
        const caught = e => console.log('caught', e.message);
        navigator.locks.acquire('a', async () => { throw error; }).catch(caught);
        navigator.locks.acquire('a', () => Promise.reject(error)).catch(caught);
        """);
  }

  @Test
  void document_of_a_removed_frame_gets_no_locks() {
    assertLog(
        List.of("InvalidStateError", "InvalidStateError", "InvalidStateError"),
        """
        onload = async () => {
          const frame = document.body.appendChild(document.createElement('iframe'));
          const {locks} = frame.contentWindow.navigator;
          frame.remove();
          const calls =
              [() => locks.acquire('a', () => {}), () => locks.queryState(), () => locks.forceRelease('a')];
          for (const call of calls) {
            await call().catch(e => console.log(e.name));
          }
        };
        """);
  }

  @Test
  void names_that_begin_with_a_hyphen_are_allowed() {
    assertLog(
        List.of("-a"), "navigator.locks.acquire('-a', lock => console.log(lock.scope.join()));");
  }

  @Test
  void locks_are_shared_only_by_agents_of_one_origin() {
    forEachSeed(scenario -> {
      String script =
          "navigator.locks.acquire(['x', 'a'], {ifAvailable: true}, l =>"
              + " console.log(location.host, l === null ? 'no' : 'yes'));";
      scenario.window("navigator.locks.acquire(['a', 'b'], () => new Promise(() => {}));").run();
      scenario.window(script).windowAt("https://two.test", script);
      assertEquals(Set.of("one.test no", "two.test yes"), Set.copyOf(scenario.run()));
    });
  }

  @Test
  void forced_release_reaches_locks_of_other_agents() {
    forEachSeed(scenario -> {
      scenario
          .window(
              """
              navigator.locks.acquire(['a', 'b'], () => new Promise(() => {}))
                  .catch(e => console.log(e.name, e instanceof DOMException));
              """)
          .run();
      scenario.window("navigator.locks.forceRelease('b');");
      assertEquals(List.of("AbortError true"), scenario.run());
    });
  }

  @Test
  void lock_of_a_closed_window_passes_to_a_waiter_in_another_window() {
    forEachSeed(scenario -> {
      scenario.window("navigator.locks.acquire(['a', 'b'], () => new Promise(() => {}));").run();
      scenario.window(
          "navigator.locks.acquire(['b', 'c'], () => console.log('passed on'));"
              + "navigator.locks.acquire('c', () => console.log('and then'));");
      assertEquals(List.of(), scenario.run());
      assertEquals(List.of("passed on", "and then"), scenario.closeWindow(0).run());
    });
  }

  @Test
  void request_of_a_closed_window_blocks_no_other_request() {
    forEachSeed(scenario -> {
      scenario.window("navigator.locks.acquire('a', () => new Promise(() => {}));").run();
      scenario.window("navigator.locks.acquire(['a', 'b'], () => console.log('never'));").run();
      scenario.window("navigator.locks.acquire('b', () => console.log('b is free'));");
      assertEquals(List.of(), scenario.run());
      assertEquals(List.of("b is free"), scenario.closeWindow(1).run());
    });
  }

  @Test
  void lock_of_a_terminated_worker_passes_to_a_waiter() {
    forEachSeed(scenario -> {
      scenario
          .resource(
              "/holder.js",
              """
              navigator.locks.acquire(['a', 'b'], () => {
                postMessage('held');
                return new Promise(() => {});
              });
              """)
          .window(
              """
              const worker = new Worker('/holder.js');
              worker.onmessage = () => {
                navigator.locks.acquire('b', () => console.log('passed on'));
                worker.terminate();
              };
              """);
      assertEquals(List.of("passed on"), scenario.run());
    });
  }

  @Test
  void removed_frame_loses_its_locks_but_its_parent_keeps_its_own() {
    assertLog(
        List.of("frame's: passed on", "parent's: held"),
        """
        onload = () => {
          const frame = document.body.appendChild(document.createElement('iframe'));
          const hold = () => new Promise(() => {});
          navigator.locks.acquire('parent', hold);
          frame.contentWindow.navigator.locks.acquire('frame', hold);
          setTimeout(() => {
            navigator.locks.acquire('frame', () => {
              console.log("frame's: passed on");
              navigator.locks.acquire('parent', {ifAvailable: true},
                  l => console.log("parent's:", l === null ? 'held' : 'lost'));
            });
            frame.remove();
          }, 5);
        };
        """);
  }

  @Test
  void errors_belong_to_the_realm_of_the_operation() {
    assertLog(
        List.of(
            "true TypeError: Failed to execute 'acquire' on 'LockManager': parameter 1"
                + " ('scope'): The sequence is empty"),
        """
        onload = async () => {
          const frame = document.body.appendChild(document.createElement('iframe'));
          const inner = frame.contentWindow;
          const e = await inner.navigator.locks.acquire([], () => {}).catch(e => e);
          console.log(e instanceof inner.TypeError, `${e.name}: ${e.message}`);
        };
        """);
  }

  @Test
  void promise_belongs_to_the_realm_of_this() {
    assertLog(
        List.of("true true"),
        """
        onload = () => {
          const inner = document.body.appendChild(document.createElement('iframe')).contentWindow;
          const {acquire, queryState} = inner.LockManager.prototype;
          console.log(acquire.call(navigator.locks, 'a', () => {}) instanceof Promise,
              queryState.call(navigator.locks) instanceof Promise);
        };
        """);
  }

  @Test
  void callback_of_another_realm_gets_a_lock_of_the_managers_realm() {
    assertLog(
        List.of("true false"),
        """
        onload = () => {
          const frame = document.body.appendChild(document.createElement('iframe'));
          const inner = frame.contentWindow;
          inner.navigator.locks.acquire('a',
              lock => console.log(lock instanceof inner.Lock, lock instanceof Lock));
        };
        """);
  }

  @Test
  void frozen_window_keeps_or_releases_its_locks_as_requested() {
    String holds =
        """
        navigator.locks.acquire(['a', 'b'], () => {
          console.log('holds');
          return new Promise(() => {});
        }).catch(e => console.log(e.name + ': ' + e.message));
        """;
    String waits = "navigator.locks.acquire('b', () => console.log('passed on'));";
    forEachSeed(scenario -> {
      scenario.window(holds).run();
      scenario.window(waits).run();
      scenario.at(0).freeze(FrozenLocks.REFUSE);
      scenario.run();
      assertFalse(scenario.at(0).isFrozen());
      scenario.at(0).freeze(FrozenLocks.KEEP);
      assertEquals(List.of("holds"), scenario.run());
      assertTrue(scenario.at(0).isFrozen());
    });
    forEachSeed(scenario -> {
      scenario.window(holds).run();
      scenario.window(waits).run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      assertEquals(List.of("holds", "passed on"), scenario.run());
      scenario.at(0).resume();
      assertEquals(
          "AbortError: The lock was released when the page was frozen.", scenario.run().getLast());
    });
  }

  @Test
  void window_repeats_its_waiting_request_when_it_resumes_after_a_freeze() {
    forEachSeed(scenario -> {
      scenario.window("navigator.locks.acquire(['a', 'b'], () => new Promise(() => {}));").run();
      scenario.window("navigator.locks.acquire('b', () => console.log('granted'));").run();
      scenario.at(1).freeze(FrozenLocks.RELEASE);
      scenario.run();
      scenario.closeWindow(0).run();
      assertEquals(List.of(), scenario.log());
      scenario.at(1).resume();
      assertEquals(List.of("granted"), scenario.run());
    });
  }

  @Test
  void request_aborted_in_a_freeze_listener_is_rejected_when_the_window_resumes() {
    forEachSeed(scenario -> {
      scenario.window("navigator.locks.acquire('b', () => new Promise(() => {}));").run();
      scenario
          .window(
              """
              const controller = new AbortController();
              navigator.locks.acquire('b', {signal: controller.signal}, () => {})
                  .catch(e => console.log(e.name));
              document.onfreeze = () => controller.abort();
              """)
          .run();
      scenario.at(1).freeze(FrozenLocks.RELEASE);
      scenario.run();
      scenario.at(1).resume();
      assertEquals(List.of("AbortError"), scenario.run());
    });
  }

  @Test
  void lock_entries_list_each_name_of_a_scope() {
    forEachSeed(scenario -> {
      scenario.window("navigator.locks.acquire(['a', 'b'], () => new Promise(() => {}));").run();
      scenario.window("navigator.locks.acquire(['b', 'c'], {mode: 'shared'}, () => {});").run();
      List<LockEntry> entries = scenario.userAgent().locks();
      assertEquals(
          List.of("a 0 EXCLUSIVE", "b 0 EXCLUSIVE", "b 1 SHARED", "c 1 SHARED"),
          entries.stream().map(e -> e.name() + " " + e.place() + " " + e.mode()).toList());
      assertEquals("https://one.test", entries.getFirst().origin());
      assertEquals("default", entries.getFirst().bucket());
      assertEquals(2, scenario.userAgent().metrics().requests());
      assertEquals(1, scenario.userAgent().metrics().grants());
    });
  }

  @Test
  void java_lock_clients_are_refused() {
    try (Scenario scenario = new Scenario(1, Set.of(Variant.EARLY_DRAFT))) {
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class,
              () -> scenario.userAgent().openLockClient(Scenario.ORIGIN));
      assertTrue(refused.getMessage().contains("early-draft"), refused.getMessage());
    }
  }

  @Test
  void private_session_has_the_same_interfaces_but_separate_locks() {
    try (Scenario scenario = new Scenario(1, Set.of(Variant.EARLY_DRAFT))) {
      scenario.window("navigator.locks.acquire('a', () => new Promise(() => {}));").run();
      var session = scenario.userAgent().openPrivateSession();
      scenario.resource(
          "/private.html",
          "<script>navigator.locks.acquire('a', {ifAvailable: true},"
              + " l => console.log(l === null ? 'shared' : 'separate'))</script>");
      session.open(Scenario.ORIGIN + "/private.html");
      assertEquals(List.of("separate"), scenario.run());
      session.close();
    }
  }

  @Test
  void other_user_agents_of_the_environment_still_use_the_working_draft() {
    try (Scenario draft = new Scenario(1, Set.of(Variant.EARLY_DRAFT));
        Scenario working = new Scenario(1)) {
      String script =
          "console.log('request' in LockManager.prototype, 'acquire' in LockManager.prototype)";
      assertEquals(List.of("false true"), draft.window(script).run());
      assertEquals(List.of("true false"), working.window(script).run());
    }
  }

  @Test
  void same_seed_gives_the_same_trace() {
    assertEquals(traceOf(5), traceOf(5));
  }

  private static List<String> traceOf(long seed) {
    try (Scenario scenario = new Scenario(seed, Set.of(Variant.EARLY_DRAFT))) {
      for (int i = 0; i < 3; i++) {
        scenario.window(
            """
            for (let i = 0; i < 4; i++) {
              navigator.locks.acquire(['n' + i, 'n' + (i + 1) % 4], () => new Promise(r => setTimeout(r, i)));
            }
            navigator.locks.acquire('n1', {ifAvailable: true}, () => {});
            navigator.locks.forceRelease(['n2', 'n3']);
            addEventListener('unhandledrejection', e => e.preventDefault());
            """);
      }
      scenario.run();
      List<String> trace = scenario.trace();
      assertTrue(trace.stream().anyMatch(line -> line.contains("Proceed")), trace.toString());
      return trace;
    }
  }
}
