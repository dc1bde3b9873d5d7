package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Behaviour in which runtimes differ from the specification or from each other; {@code
 * docs/CONFORMANCE.md} lists these tests. Each runs under several seeds, since the result must not
 * depend on the schedule.
 */
class SpecBehaviourTest {

  private static final int SEEDS = TestSize.seeds(5);

  /** Returns the log of one window, which must be the same under every seed. */
  private static List<String> log(String script) {
    List<List<String>> logs =
        IntStream.range(0, SEEDS)
            .mapToObj(seed -> {
              try (Scenario scenario = new Scenario(seed)) {
                return scenario.window(script).run();
              }
            })
            .toList();
    assertEquals(1, logs.stream().distinct().count(), "differs by seed: " + logs);
    return logs.getFirst();
  }

  /** Runs the same steps under every seed. */
  private static void forEachSeed(Consumer<Scenario> steps) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        steps.accept(scenario);
      }
    }
  }

  @Test
  void callback_runs_in_a_later_task_than_the_request_call() {
    assertEquals(
        List.of("after request", "microtask", "callback"),
        log(
            """
            navigator.locks.request('a', () => console.log('callback'));
            Promise.resolve().then(() => console.log('microtask'));
            console.log('after request');
            """));
  }

  @Test
  void objects_belong_to_the_realm_of_this() {
    assertEquals(
        List.of("true true", "true true true", "true true", "true"),
        log(
            """
            onload = async () => {
              const other = document.body.appendChild(document.createElement('iframe')).contentWindow;
              const {query, request} = other.LockManager.prototype;
              const held = request.call(navigator.locks, 'a', lock => {
                console.log(lock instanceof Lock, held instanceof Promise);
                return new Promise(() => {});
              });
              const queried = query.call(navigator.locks);
              const snapshot = await queried;
              const isOwn = (o, type) => Object.getPrototypeOf(o) === type.prototype;
              console.log(queried instanceof Promise, isOwn(snapshot, Object),
                  isOwn(snapshot.held, Array));
              console.log(isOwn(snapshot.held[0], Object), isOwn(snapshot.pending, Array));
              const inner = LockManager.prototype.query.call(other.navigator.locks);
              console.log(inner instanceof other.Promise);
            };
            """));
  }

  @Test
  void errors_belong_to_the_realm_of_the_function() {
    assertEquals(
        List.of("true true NotSupportedError", "true true TypeError"),
        log(
            """
            onload = async () => {
              const other = document.body.appendChild(document.createElement('iframe')).contentWindow;
              const {request} = other.LockManager.prototype;
              for (const options of [{steal: true, ifAvailable: true}, {mode: 'none'}]) {
                const promise = request.call(navigator.locks, 'a', options, () => {});
                const e = await promise.catch(e => e);
                console.log(promise instanceof other.Promise,
                    e instanceof other.DOMException || e instanceof other.TypeError, e.name);
              }
            };
            """));
  }

  @Test
  void synchronous_throw_in_the_callback_rejects_and_releases_the_lock() {
    assertEquals(
        List.of("rejected Error: mine", "second granted"),
        log(
            """
            navigator.locks.request('a', () => { throw new Error('mine'); })
                .catch(e => console.log('rejected ' + e))
                .then(() => navigator.locks.request('a', () => console.log('second granted')));
            """));
  }

  @Test
  void returned_thenable_holds_the_lock_until_it_settles() {
    assertEquals(
        List.of("first granted", "thenable settles", "second granted", "first is done"),
        log(
            """
            navigator.locks.request('a', () => {
              console.log('first granted');
              return {then(resolve) {
                setTimeout(() => { console.log('thenable settles'); resolve('done'); }, 20);
              }};
            }).then(v => setTimeout(() => console.log('first is ' + v), 1));
            navigator.locks.request('a', () => console.log('second granted'));
            """));
  }

  @Test
  void shared_request_behind_an_aborted_exclusive_one_is_granted_at_once() {
    assertEquals(
        List.of("first held", "aborted", "second held beside the first"),
        log(
            """
            const controller = new AbortController();
            let firstHeld = true;
            navigator.locks.request('a', {mode: 'shared'}, () => {
              console.log('first held');
              return new Promise(() => {});
            });
            navigator.locks.request('a', {signal: controller.signal}, () => {})
                .catch(() => console.log('aborted'));
            navigator.locks.request('a', {mode: 'shared'},
                () => console.log('second held beside the first'));
            setTimeout(() => controller.abort(), 10);
            """));
  }

  @Test
  void aborted_request_is_gone_from_query() {
    assertEquals(
        List.of("pending 1", "pending 0"),
        log(
            """
            const controller = new AbortController();
            navigator.locks.request('a', () => new Promise(() => {}));
            navigator.locks.request('a', {signal: controller.signal}, () => {}).catch(() => {});
            (async () => {
              console.log('pending ' + (await navigator.locks.query()).pending.length);
              controller.abort();
              console.log('pending ' + (await navigator.locks.query()).pending.length);
            })();
            """));
  }

  @Test
  void if_available_behind_a_pending_exclusive_request_gets_null() {
    assertEquals(
        List.of("null"),
        log(
            """
            navigator.locks.request('a', {mode: 'shared'}, () => new Promise(() => {}));
            navigator.locks.request('a', () => {});
            navigator.locks.request('a', {mode: 'shared', ifAvailable: true},
                lock => console.log(String(lock)));
            """));
  }

  @Test
  void names_and_options_are_checked_before_the_aborted_signal() {
    assertEquals(
        List.of("NotSupportedError", "NotSupportedError", "my reason"),
        log(
            """
            const signal = AbortSignal.abort('my reason');
            (async () => {
              for (const [name, options] of [
                  ['-a', {signal}], ['a', {signal, ifAvailable: true}], ['a', {signal}]]) {
                await navigator.locks.request(name, options, () => {})
                    .catch(e => console.log(e.name ?? e));
              }
            })();
            """));
  }

  @Test
  void request_rejects_with_the_reason_of_an_aborted_signal() {
    assertEquals(
        List.of("true", "true", "AbortError true"),
        log(
            """
            (async () => {
              const reason = {};
              await navigator.locks.request('a', {signal: AbortSignal.abort(reason)}, () => {})
                  .catch(e => console.log(String(e === reason)));
              const controller = new AbortController();
              navigator.locks.request('b', () => new Promise(() => {}));
              const late = navigator.locks.request('b', {signal: controller.signal}, () => {});
              controller.abort(reason);
              await late.catch(e => console.log(String(e === reason)));
              await navigator.locks.request('a', {signal: AbortSignal.abort()}, () => {})
                  .catch(e => console.log(e.name, e instanceof DOMException));
            })();
            """));
  }

  @Test
  void each_query_returns_new_objects() {
    assertEquals(
        List.of("true false false false", "clientId,mode,name exclusive a", "3 1"),
        log(
            """
            (async () => {
              navigator.locks.request('a', () => new Promise(() => {}));
              const one = await navigator.locks.query();
              one.held[0].name = 'changed';
              one.held.push(1, 2);
              const two = await navigator.locks.query();
              console.log(Array.isArray(two.held), one === two, one.held === two.held,
                  one.held[0] === two.held[0]);
              console.log(Object.keys(two.held[0]).join(), two.held[0].mode, two.held[0].name);
              console.log(one.held.length, two.held.length);
            })();
            """));
  }

  @Test
  void query_lists_locks_of_other_agents_only_from_the_same_origin() {
    forEachSeed(scenario -> {
      scenario
          .window("navigator.locks.request('a', () => new Promise(() => {}));")
          .windowAt(
              "https://two.test", "navigator.locks.request('b', () => new Promise(() => {}));")
          .run();
      scenario.window(
          """
          navigator.locks.query().then(s => console.log(JSON.stringify(s.held.map(l => l.name))));
          """);
      assertEquals(List.of("[\"a\"]"), scenario.run());
    });
  }

  @Test
  void lock_of_a_terminated_worker_passes_to_a_waiter() {
    forEachSeed(scenario -> {
      scenario
          .resource(
              "/holder.js",
              """
              navigator.locks.request('a', () => {
                postMessage('held');
                return new Promise(() => {});
              });
              """)
          .window(
              """
              const worker = new Worker('/holder.js');
              worker.onmessage = () => {
                navigator.locks.request('a', () => console.log('passed on'));
                worker.terminate();
              };
              """);
      assertEquals(List.of("passed on"), scenario.run());
    });
  }

  @Test
  void lock_of_a_closed_window_passes_to_a_waiter_in_another_window() {
    forEachSeed(scenario -> {
      scenario.window("navigator.locks.request('a', () => new Promise(() => {}));").run();
      scenario.window("navigator.locks.request('a', () => console.log('passed on'));").run();
      assertEquals(List.of(), scenario.log());
      assertEquals(List.of("passed on"), scenario.closeWindow(0).run());
    });
  }

  @Test
  void holder_in_another_agent_gets_an_abort_error_at_a_steal() {
    forEachSeed(scenario -> {
      scenario
          .window(
              """
              navigator.locks.request('a', () => new Promise(() => {}))
                  .catch(e => console.log(e.name, e instanceof DOMException, e.code));
              """)
          .run();
      scenario.window("navigator.locks.request('a', {steal: true}, () => {});");
      assertEquals(List.of("AbortError true 20"), scenario.run());
    });
  }

  @Test
  void request_rejects_with_an_application_error_whatever_its_message() {
    assertEquals(
        List.of("true Error: LOCK_STOLEN"),
        log(
            """
            const mine = new Error('LOCK_STOLEN');
            navigator.locks.request('a', async () => { throw mine; })
                .catch(e => console.log(e === mine, String(e)));
            """));
  }

  @Test
  void query_lists_locks_in_grant_order_and_requests_in_queue_creation_order() {
    assertEquals(
        List.of("held z,a,m pending z,a,a"),
        log(
            """
            const hold = () => new Promise(() => {});
            for (const name of ['z', 'a', 'm']) navigator.locks.request(name, hold);
            for (const name of ['a', 'z', 'a']) navigator.locks.request(name, hold);
            navigator.locks.query().then(s => console.log(
                'held ' + s.held.map(l => l.name), 'pending ' + s.pending.map(l => l.name)));
            """));
  }

  @Test
  void client_id_is_a_uuid_unique_to_each_client() {
    forEachSeed(scenario -> {
      String script =
          """
          navigator.locks.request('a', {mode: 'shared'}, async () => {
            console.log((await navigator.locks.query()).held.at(-1).clientId);
            return new Promise(() => {});
          });
          """;
      scenario.window(script).run();
      List<String> ids = scenario.window(script).run();
      assertEquals(2, ids.size());
      assertNotEquals(ids.get(0), ids.get(1));
      for (String id : ids) {
        assertTrue(
            id.matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"), id);
      }
    });
  }

  @Test
  void interface_objects_lock_and_lock_manager_are_on_the_global() {
    assertEquals(
        List.of("function function true true true"),
        log(
            """
            navigator.locks.request('a', lock => console.log(
                typeof Lock, typeof LockManager, lock instanceof Lock,
                navigator.locks instanceof LockManager,
                Object.getOwnPropertyDescriptor(globalThis, 'Lock').value === Lock));
            """));
  }

  @Test
  void request_called_without_a_lock_manager_rejects_with_a_type_error() {
    assertEquals(
        List.of("TypeError true"),
        log(
            """
            const {request} = navigator.locks;
            request('a', () => {}).catch(e => console.log(e.name, e instanceof TypeError));
            """));
  }

  @Test
  void timers_fire_while_script_repeats_if_available_requests_for_a_held_lock() {
    assertEquals(
        List.of("timer fired", "true"),
        log(
            """
            let stop = false;
            navigator.locks.request('a', () => new Promise(() => {}));
            setTimeout(() => { console.log('timer fired'); stop = true; }, 5);
            (async () => {
              let turns = 0;
              while (!stop) {
                await navigator.locks.request('a', {ifAvailable: true}, lock => { turns++; });
              }
              console.log(turns > 10);
            })();
            """));
  }

  @Test
  void callback_still_runs_if_its_lock_was_stolen_before_it_started() {
    assertEquals(
        List.of("victim runs", "AbortError", "thief runs"),
        log(
            """
            navigator.locks.request('a', () => { console.log('victim runs'); })
                .catch(e => console.log(e.name));
            navigator.locks.request('a', {steal: true}, () => console.log('thief runs'));
            """));
  }

  @Test
  void abort_between_grant_and_callback_releases_the_lock_without_the_callback() {
    assertEquals(
        List.of("AbortError", "next granted"),
        log(
            """
            const controller = new AbortController();
            navigator.locks.request('a', {signal: controller.signal},
                () => console.log('must not run')).catch(e => console.log(e.name));
            controller.abort();
            setTimeout(() => navigator.locks.request('a', () => console.log('next granted')), 1);
            """));
  }

  @Test
  void abort_is_ignored_once_the_callback_has_begun() {
    assertEquals(
        List.of("resolved with value"),
        log(
            """
            const controller = new AbortController();
            navigator.locks.request('a', {signal: controller.signal}, async () => {
              controller.abort();
              return 'value';
            }).then(v => console.log('resolved with ' + v), e => console.log('rejected ' + e));
            """));
  }

  @Test
  void names_keep_lone_surrogates() {
    assertEquals(
        List.of("d800 61 true"),
        log(
            """
            navigator.locks.request('\\ud800a', async lock => {
              const [held] = (await navigator.locks.query()).held;
              console.log(lock.name.charCodeAt(0).toString(16), lock.name.charCodeAt(1).toString(16),
                  held.name === '\\ud800a');
            });
            """));
  }

  @Test
  void deadlocked_requests_of_two_agents_stay_pending_without_affecting_other_requests() {
    forEachSeed(scenario -> {
      String deadlocked =
          """
          navigator.locks.request('%s', async () => {
            await new Promise(r => setTimeout(r, 10));
            await navigator.locks.request('%s', () => console.log('impossible'));
          });
          """;
      scenario.window(deadlocked.formatted("a", "b")).window(deadlocked.formatted("b", "a"));
      scenario.window("navigator.locks.request('c', () => console.log('works'));");
      assertEquals(List.of("works"), scenario.run());
    });
  }

  @Test
  void navigator_has_no_locks_in_an_insecure_context() {
    forEachSeed(scenario -> {
      assertEquals(
          List.of("false false undefined"),
          scenario
              .windowAt(
                  "http://insecure.test",
                  "console.log(isSecureContext, 'locks' in navigator, typeof LockManager)")
              .run());
    });
  }

  // https://webidl.spec.whatwg.org/#invoke-a-callback-function ends with "clean up after running
  // script": microtasks run before the returned value is converted to a promise

  @Test
  void a_lock_is_held_until_the_microtasks_of_its_callback_have_run() {
    assertEquals(
        List.of("null"),
        log(
            """
            navigator.locks.request('a', () => {
              let p = Promise.resolve();
              for (let i = 0; i < 8; i++) p = p.then(() => {});
              p.then(() => navigator.locks.request('a', {ifAvailable: true}, l => console.log(l ? 'lock' : 'null')));
            });
            """));
  }

  @Test
  void request_settles_after_microtasks_of_a_callback_that_gets_null() {
    assertEquals(
        List.of("microtask 8", "settled 1"),
        log(
            """
            navigator.locks.request('a', () => new Promise(() => {}));
            navigator.locks.request('a', {ifAvailable: true}, () => {
              let p = Promise.resolve();
              for (let i = 0; i < 8; i++) p = p.then(() => {});
              p.then(() => console.log('microtask 8'));
              return 1;
            }).then(value => console.log('settled ' + value));
            """));
  }

  @Test
  void then_property_of_the_result_is_read_before_microtasks_of_the_callback() {
    assertEquals(
        List.of("then is read", "microtask", "1"),
        log(
            """
            navigator.locks.request('a', () => {
              Promise.resolve().then(() => console.log('microtask'));
              return { get then() { console.log('then is read'); return resolve => resolve(1); } };
            }).then(value => console.log(value));
            """));
  }

  @Test
  void promise_returned_by_the_callback_is_handled_even_if_already_rejected() {
    assertEquals(
        List.of("caught now", "caught in a microtask", "unhandled: other"),
        log(
            """
            addEventListener('unhandledrejection', e => { e.preventDefault(); console.log('unhandled: ' + e.reason); });
            (async () => {
              await navigator.locks.request('a', () => Promise.reject('now')).catch(e => console.log('caught ' + e));
              await navigator.locks.request('a', async () => { await null; throw 'in a microtask'; })
                .catch(e => console.log('caught ' + e));
              await navigator.locks.request('a', async () => { Promise.reject('other'); });
            })();
            """));
  }

  @Test
  void promise_returned_by_a_frames_callback_is_handled_even_if_already_rejected() {
    assertEquals(
        List.of("caught 1"),
        log(
            """
            addEventListener('unhandledrejection', e => { e.preventDefault(); console.log('unhandled: ' + e.reason); });
            const f = document.documentElement.appendChild(document.createElement('iframe'));
            f.contentWindow.navigator.locks.request('a', async () => { throw 1; }).catch(e => console.log('caught ' + e));
            """));
  }

  @Test
  void request_with_a_removed_frames_callback_rejects_and_releases_the_lock() {
    assertEquals(
        List.of(
            "held: NotSupportedError",
            "missed: NotSupportedError",
            "waited: NotSupportedError",
            "next",
            "0 0"),
        log(
            """
            const frame = () => document.documentElement.appendChild(document.createElement('iframe'));
            const ofRemoved = () => {
              const f = frame();
              const callback = new f.contentWindow.Function('return 1');
              f.remove();
              return callback;
            };
            const told = (what, promise) => promise.then(() => console.log(what), e => console.log(what + ': ' + e.name));
            (async () => {
              await told('held', navigator.locks.request('q', ofRemoved()));
              await navigator.locks.request('q', () =>
                told('missed', navigator.locks.request('q', {ifAvailable: true}, ofRemoved())));
              const f = frame();
              let free;
              const holder = navigator.locks.request('q', () => new Promise(resolve => { free = resolve; }));
              const waiting = told('waited', navigator.locks.request('q', new f.contentWindow.Function('return 1')));
              const next = navigator.locks.request('q', () => console.log('next'));
              setTimeout(() => { f.remove(); free(); }, 10);
              await Promise.all([holder, waiting, next]);
              const { held, pending } = await navigator.locks.query();
              console.log(held.length + ' ' + pending.length);
            })();
            """));
  }
}
