package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.Variant;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Behaviour of scripts under each variant, compared with the draft. Each test runs under several
 * seeds, since no result may depend on the schedule.
 */
class VariantBehaviourTest {

  private static final int SEEDS = TestSize.seeds(5);
  private static final Set<Variant> DRAFT = Set.of();

  /** Runs the same steps under every seed. */
  private static void forEachSeed(Set<Variant> variants, Consumer<Scenario> steps) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed, variants)) {
        steps.accept(scenario);
      }
    }
  }

  /** Expects the log of one window under every seed. */
  private static void assertLog(List<String> log, Set<Variant> variants, String script) {
    forEachSeed(variants, scenario -> assertEquals(log, scenario.window(script).run()));
  }

  /** Expects the logs of one window in the draft, and under a variant. */
  private static void assertLogs(
      List<String> inDraft, List<String> underVariant, Variant variant, String script) {
    assertLog(inDraft, DRAFT, script);
    assertLog(underVariant, Set.of(variant), script);
  }

  // ---- open questions of the draft -------------------------------------------------------------

  @Test
  void settle_before_grant_runs_promise_reactions_before_the_next_callback() {
    assertLogs(
        List.of("second granted", "first settled"),
        List.of("first settled", "second granted"),
        Variant.SETTLE_BEFORE_GRANT,
        """
        navigator.locks.request('a', () => {}).then(() => console.log('first settled'));
        navigator.locks.request('a', () => console.log('second granted'));
        """);
  }

  private static final String COUNTS_MICROTASKS =
      """
      navigator.locks.request('a', () => new Promise((resolve, reject) => setTimeout(() => {
        let later = Promise.resolve();
        for (let i = 0; i < 20; i++) later = later.then(() => {});
        later.then(() => console.log('twenty microtasks later'));
        %s
      }, 5))).then(v => console.log('resolved ' + v), e => console.log('rejected ' + e));
      """;

  @Test
  void settle_at_once_settles_the_request_promise_without_a_task() {
    assertLogs(
        List.of("twenty microtasks later", "resolved value"),
        List.of("resolved value", "twenty microtasks later"),
        Variant.SETTLE_AT_ONCE,
        COUNTS_MICROTASKS.formatted("resolve('value');"));
    assertLogs(
        List.of("twenty microtasks later", "rejected Error: mine"),
        List.of("rejected Error: mine", "twenty microtasks later"),
        Variant.SETTLE_AT_ONCE,
        COUNTS_MICROTASKS.formatted("reject(new Error('mine'));"));
  }

  @Test
  void settle_at_once_still_releases_the_lock() {
    assertLog(
        List.of("first settled", "second granted", "second settled", "held 0 pending 0"),
        Set.of(Variant.SETTLE_AT_ONCE),
        """
        navigator.locks.request('a', () => {}).then(() => console.log('first settled'));
        navigator.locks.request('a', () => console.log('second granted')).then(async () => {
          console.log('second settled');
          const {held, pending} = await navigator.locks.query();
          console.log('held ' + held.length + ' pending ' + pending.length);
        });
        """);
  }

  /** Steals a lock that was granted to a frozen window, then resumes that; returns the log. */
  private static List<String> stolenWhileFrozen(Scenario scenario, String request) {
    scenario.window("navigator.locks.request('a', () => new Promise(() => {}));").run();
    scenario.window(request).run();
    scenario.at(1).freeze(FrozenLocks.KEEP);
    scenario.run();
    scenario.closeWindow(0).run();
    scenario.window("navigator.locks.request('a', {steal: true}, () => console.log('thief'));");
    assertEquals(List.of("thief"), scenario.run());
    scenario.at(1).resume();
    List<String> all = scenario.run();
    return all.subList(1, all.size());
  }

  @Test
  void skip_stolen_callback_skips_callbacks_of_stolen_locks() {
    String request =
        """
        const controller = new AbortController();
        navigator.locks.request('a', {signal: controller.signal}, () => console.log('victim'))
            .then(() => console.log('resolved'), e => console.log(e.name));
        """;
    forEachSeed(
        DRAFT,
        scenario ->
            assertEquals(List.of("victim", "AbortError"), stolenWhileFrozen(scenario, request)));
    forEachSeed(
        Set.of(Variant.SKIP_STOLEN_CALLBACK),
        scenario -> assertEquals(List.of("AbortError"), stolenWhileFrozen(scenario, request)));
  }

  @Test
  void stolen_lock_rejects_a_callback_less_request_under_skip_stolen_callback() {
    String request =
        """
        navigator.locks.request('a')
            .then(lock => lock.release()).then(() => {}, e => console.log(e.name));
        """;
    forEachSeed(
        Set.of(Variant.SKIP_STOLEN_CALLBACK, Variant.CALLBACK_LESS),
        scenario -> assertEquals(List.of("AbortError"), stolenWhileFrozen(scenario, request)));
  }

  @Test
  void skip_stolen_callback_runs_callbacks_of_locks_still_held() {
    assertLog(
        List.of("one", "two"),
        Set.of(Variant.SKIP_STOLEN_CALLBACK),
        """
        (async () => {
          await navigator.locks.request('a', () => console.log('one'));
          await navigator.locks.request('a', {steal: true}, () => console.log('two'));
        })();
        """);
  }

  @Test
  void stolen_error_distinguishes_a_steal_from_an_abort() {
    assertLogs(
        List.of("AbortError 20 true", "AbortError 20 true"),
        List.of("LockStolenError 0 true", "AbortError 20 true"),
        Variant.STOLEN_ERROR,
        """
        const show = e => console.log(e.name, e.code, e instanceof DOMException);
        (async () => {
          let begun;
          const held = new Promise(resolve => { begun = resolve; });
          const victim = navigator.locks.request('a', () => { begun(); return new Promise(() => {}); });
          await held;
          navigator.locks.request('a', {steal: true}, () => new Promise(() => {}));
          await victim.catch(show);
          const controller = new AbortController();
          const aborted = navigator.locks.request('a', {signal: controller.signal}, () => {});
          controller.abort();
          await aborted.catch(show);
        })();
        """);
  }

  @Test
  void reentrant_variant_runs_the_example_of_its_github_issue() {
    for (boolean draft : new boolean[] {true, false}) {
      forEachSeed(
          draft ? DRAFT : Set.of(Variant.REENTRANT),
          scenario -> {
            scenario
                .window(
                    """
                    async function alsoHappensToRequestLock() {
                      await navigator.locks.request('foo', async () => console.log('inner'));
                    }
                    navigator.locks.request('foo', {reentrant: true}, async () => {
                      console.log('outer');
                      await new Promise(resolve => setTimeout(resolve, 10));
                      await alsoHappensToRequestLock();
                      console.log('outer ends');
                    });
                    """)
                .runFor(5);
            scenario.window("navigator.locks.request('foo', () => console.log('other window'));");
            assertEquals(
                draft ? List.of("outer") : List.of("outer", "inner", "outer ends", "other window"),
                scenario.run());
          });
    }
  }

  @Test
  void reentrant_grants_requests_from_anywhere_in_the_client() {
    assertLogs(
        List.of("outer", "outer ends", "other"),
        List.of("outer", "other", "outer ends"),
        Variant.REENTRANT,
        """
        navigator.locks.request('foo', {reentrant: true}, async () => {
          console.log('outer');
          await new Promise(resolve => setTimeout(resolve, 10));
          console.log('outer ends');
        });
        navigator.locks.request('foo', () => console.log('other'));
        """);
  }

  @Test
  void draft_does_not_read_the_option_reentrant() {
    assertLogs(
        List.of("granted"),
        List.of("read", "granted"),
        Variant.REENTRANT,
        """
        const options = {get reentrant() { console.log('read'); return false; }};
        navigator.locks.request('a', options, () => console.log('granted'));
        """);
  }

  @Test
  void reentrant_does_not_extend_to_other_clients_of_the_agent() {
    forEachSeed(
        Set.of(Variant.REENTRANT),
        scenario -> {
          scenario.resource("/frame.html", "<!doctype html>");
          scenario.window(
              """
              navigator.locks.request('a', {reentrant: true}, async () => {
                const frame = document.createElement('iframe');
                frame.src = '/frame.html';
                await new Promise(resolve => {
                  frame.onload = resolve;
                  document.documentElement.append(frame);
                });
                const other = frame.contentWindow.navigator.locks;
                await other.request('a', {ifAvailable: true},
                    lock => console.log('frame ' + (lock === null ? 'waits' : 'enters')));
                await navigator.locks.request('a', {ifAvailable: true},
                    lock => console.log('window ' + (lock === null ? 'waits' : 'enters')));
              });
              """);
          assertEquals(List.of("frame waits", "window enters"), scenario.run());
        });
  }

  // ---- requests without a callback -------------------------------------------------------------

  @Test
  void callback_less_request_resolves_with_a_lock_that_script_releases() {
    assertLogs(
        List.of("TypeError"),
        List.of("true true a exclusive", "pending 1", "second granted", "released undefined"),
        Variant.CALLBACK_LESS,
        """
        (async () => {
          const lock = await navigator.locks.request('a');
          console.log(lock instanceof Lock, lock instanceof ReleasableLock, lock.name, lock.mode);
          navigator.locks.request('a', () => console.log('second granted'));
          console.log('pending ' + (await navigator.locks.query()).pending.length);
          console.log('released ' + await lock.release());
        })().catch(e => console.log(e.name));
        """);
  }

  @Test
  void callback_less_request_accepts_all_options() {
    assertLog(
        List.of(
            "shared",
            "null",
            "reason",
            "reason",
            "NotSupportedError",
            "victim AbortError",
            "undefined is no options exclusive"),
        Set.of(Variant.CALLBACK_LESS),
        """
        (async () => {
          const shared = await navigator.locks.request('a', {mode: 'shared'});
          console.log(shared.mode);
          console.log(await navigator.locks.request('a', {ifAvailable: true}));
          const signal = AbortSignal.abort('reason');
          await navigator.locks.request('a', {signal}).catch(e => console.log(e));
          const controller = new AbortController();
          const aborted = navigator.locks.request('a', {signal: controller.signal});
          controller.abort('reason');
          await aborted.catch(e => console.log(e));
          await navigator.locks.request('-').catch(e => console.log(e.name));
          const thief = await navigator.locks.request('a', {steal: true});
          await shared.release().catch(e => console.log('victim ' + e.name));
          await thief.release();
          const last = await navigator.locks.request('a', undefined);
          console.log('undefined is no options ' + last.mode);
        })();
        """);
  }

  @Test
  void callback_less_lock_can_be_released_repeatedly() {
    assertLog(
        List.of("true", "false false", "undefined,undefined,undefined", "held 0"),
        Set.of(Variant.CALLBACK_LESS),
        """
        (async () => {
          const lock = await navigator.locks.request('a');
          const both = [lock.release(), lock.release()];
          console.log(both[0] !== both[1]);
          const done = [false, false];
          both.forEach((each, i) => each.then(() => { done[i] = true; }));
          console.log(...done);
          await both[1];
          console.log((await Promise.all([...both, lock.release()])).map(String).join());
          console.log('held ' + (await navigator.locks.query()).held.length);
        })();
        """);
  }

  @Test
  void callback_less_lock_supports_await_using() {
    assertLogs(
        List.of("undefined", "undefined"),
        List.of("symbol Symbol(Symbol.asyncDispose)", "function true false", "free"),
        Variant.CALLBACK_LESS,
        """
        (async () => {
          const symbol = Symbol.asyncDispose;
          console.log(symbol === undefined ? 'undefined' : typeof symbol + ' ' + String(symbol));
          if (typeof ReleasableLock === 'undefined') {
            console.log('undefined');
            return;
          }
          const own = Object.getOwnPropertyDescriptor(ReleasableLock.prototype, symbol);
          console.log(typeof own.value, own.value === ReleasableLock.prototype.release, own.enumerable);
          { // as compilers write it: await using lock = await navigator.locks.request('a');
            const lock = await navigator.locks.request('a');
            const dispose = lock[Symbol.asyncDispose];
            try {
              await 0;
            } finally {
              await dispose.call(lock);
            }
          }
          await navigator.locks.request('a', {ifAvailable: true},
              lock => console.log(lock === null ? 'held' : 'free'));
        })();
        """);
  }

  @Test
  void realms_of_an_agent_share_the_async_dispose_symbol_under_callback_less() {
    assertLog(
        List.of("true function"),
        Set.of(Variant.CALLBACK_LESS),
        """
        const frame = document.createElement('iframe');
        document.documentElement.append(frame);
        const other = frame.contentWindow;
        console.log(other.Symbol.asyncDispose === Symbol.asyncDispose,
            typeof other.ReleasableLock.prototype[Symbol.asyncDispose]);
        """);
  }

  @Test
  void callback_less_does_not_add_release_to_the_lock_of_a_callback() {
    assertLog(
        List.of("undefined false"),
        Set.of(Variant.CALLBACK_LESS),
        """
        navigator.locks.request('a', lock =>
            console.log(typeof lock.release, lock instanceof ReleasableLock));
        """);
  }

  @Test
  void callback_less_lock_passes_to_a_waiter_when_its_client_ends() {
    forEachSeed(
        Set.of(Variant.CALLBACK_LESS),
        scenario -> {
          scenario.window("navigator.locks.request('a').then(() => console.log('held'))").run();
          scenario.window("navigator.locks.request('a', () => console.log('passed on'))").run();
          assertEquals(List.of("held", "passed on"), scenario.closeWindow(0).run());
        });
  }

  @Test
  void callback_less_lock_is_lost_when_its_window_freezes_and_releases_locks() {
    forEachSeed(
        Set.of(Variant.CALLBACK_LESS),
        scenario -> {
          scenario.window(
              """
              let lock;
              navigator.locks.request('a').then(granted => { lock = granted; });
              document.onresume = () => lock.release().catch(e => console.log(e.name));
              """);
          scenario.run();
          scenario.at(0).freeze(FrozenLocks.RELEASE);
          scenario.window("navigator.locks.request('a', () => console.log('passed on'))");
          assertEquals(List.of("passed on"), scenario.run());
          scenario.at(0).resume();
          assertEquals(List.of("passed on", "AbortError"), scenario.run());
        });
  }

  // ---- observed behaviour of Node and Deno -----------------------------------------------------

  @Test
  void callback_inside_request_runs_before_the_request_method_returns() {
    assertLogs(
        List.of("after request", "microtask", "callback a", "then"),
        List.of("callback a", "after request", "microtask", "then"),
        Variant.CALLBACK_INSIDE_REQUEST,
        """
        navigator.locks.request('a', lock => { console.log('callback ' + lock.name); })
            .then(() => console.log('then'));
        Promise.resolve().then(() => console.log('microtask'));
        console.log('after request');
        """);
  }

  @Test
  void callback_inside_request_applies_to_unavailable_locks_but_not_to_later_grants() {
    assertLogs(
        List.of("after", "held", "null", "waiter"),
        List.of("held", "null", "after", "waiter"),
        Variant.CALLBACK_INSIDE_REQUEST,
        """
        let release;
        navigator.locks.request('a', () => {
          console.log('held');
          return new Promise(resolve => { release = resolve; });
        });
        navigator.locks.request('a', {ifAvailable: true}, lock => { console.log(String(lock)); });
        navigator.locks.request('a', () => { console.log('waiter'); });
        console.log('after');
        setTimeout(() => release(), 5);
        """);
  }

  @Test
  void timers_never_fire_beside_endless_requests_under_variant_callback_inside_request() {
    String script =
        """
        let fired = false;
        navigator.locks.request('a', () => new Promise(() => {}));
        setTimeout(() => { fired = true; }, 1);
        (async () => {
          let turns = 0;
          while (!fired && turns < 2000) {
            await navigator.locks.request('a', {ifAvailable: true}, () => { turns++; });
          }
          console.log(fired ? 'fired' : 'starved');
        })();
        """;
    assertLogs(List.of("fired"), List.of("starved"), Variant.CALLBACK_INSIDE_REQUEST, script);
  }

  @Test
  void callback_inside_request_may_make_another_request() {
    assertLog(
        List.of("outer", "inner", "inner done", "after"),
        Set.of(Variant.CALLBACK_INSIDE_REQUEST),
        """
        navigator.locks.request('a', () => {
          console.log('outer');
          navigator.locks.request('b', () => { console.log('inner'); });
          console.log('inner done');
        });
        console.log('after');
        """);
  }

  @Test
  void callback_inside_request_may_run_in_a_microtask_of_another_callback() {
    assertLog(
        List.of("inner", "outer 1"),
        Set.of(Variant.CALLBACK_INSIDE_REQUEST),
        """
        navigator.locks.request('a', () => new Promise(resolve => setTimeout(resolve, 5)));
        navigator.locks.request('a', () => {
          Promise.resolve().then(() => navigator.locks.request('b', () => console.log('inner')));
          return 1;
        }).then(value => console.log('outer ' + value), e => console.log('outer ' + e.name));
        """);
  }

  @Test
  void throw_keeps_lock_applies_to_exceptions_but_not_rejections() {
    String script =
        """
        navigator.locks.request('a', %s).catch(e => console.log('rejected ' + e.message));
        navigator.locks.request('a', () => console.log('second granted'));
        """;
    assertLogs(
        List.of("second granted", "rejected mine"),
        List.of("rejected mine"),
        Variant.THROW_KEEPS_LOCK,
        script.formatted("() => { throw new Error('mine'); }"));
    List<String> released = List.of("second granted", "rejected mine");
    assertLogs(
        released,
        released,
        Variant.THROW_KEEPS_LOCK,
        script.formatted("async () => { throw new Error('mine'); }"));
  }

  @Test
  void throw_keeps_lock_until_the_end_of_the_client() {
    forEachSeed(
        Set.of(Variant.THROW_KEEPS_LOCK),
        scenario -> {
          scenario
              .window(
                  """
                  navigator.locks.request('a', () => { throw new Error('mine'); }).catch(() => {});
                  """)
              .run();
          scenario.window("navigator.locks.request('a', () => console.log('passed on'))").run();
          assertEquals(List.of(), scenario.log());
          assertEquals(List.of("passed on"), scenario.closeWindow(0).run());
        });
  }

  @Test
  void thenable_releases_the_lock_at_once_and_resolves_the_request() {
    assertLogs(
        List.of("first granted", "thenable settles", "second granted", "first is done"),
        List.of("first granted", "second granted", "thenable settles", "first is done"),
        Variant.THENABLE_RELEASES,
        """
        navigator.locks.request('a', () => {
          console.log('first granted');
          return {then(resolve) {
            setTimeout(() => { console.log('thenable settles'); resolve('done'); }, 20);
          }};
        }).then(v => setTimeout(() => console.log('first is ' + v), 1));
        navigator.locks.request('a', () => console.log('second granted'));
        """);
  }

  @Test
  void thenable_releases_does_not_affect_promises_and_plain_objects() {
    List<String> same =
        List.of("promise settles", "after promise", "subclass settles", "after subclass", "1");
    assertLogs(
        same,
        same,
        Variant.THENABLE_RELEASES,
        """
        const later = (type, text) => new type(resolve =>
            setTimeout(() => { console.log(text); resolve(); }, 5));
        class Subclass extends Promise {}
        (async () => {
          navigator.locks.request('a', () => later(Promise, 'promise settles'));
          await navigator.locks.request('a', () => console.log('after promise'));
          navigator.locks.request('a', () => later(Subclass, 'subclass settles'));
          await navigator.locks.request('a', () => console.log('after subclass'));
          const object = {answer: 1};
          console.log((await navigator.locks.request('a', () => object)).answer);
        })();
        """);
  }

  @Test
  void aborted_stays_pending_lists_an_aborted_request_but_never_runs_its_callback() {
    assertLogs(
        List.of("AbortError", "pending 0", "next"),
        List.of("AbortError", "pending 1", "next"),
        Variant.ABORTED_STAYS_PENDING,
        """
        const controller = new AbortController();
        let release;
        navigator.locks.request('a', () => new Promise(resolve => { release = resolve; }));
        navigator.locks.request('a', {signal: controller.signal}, () => console.log('must not run'))
            .catch(e => console.log(e.name));
        setTimeout(async () => {
          controller.abort();
          await 0;
          console.log('pending ' + (await navigator.locks.query()).pending.length);
          navigator.locks.request('a', () => console.log('next'));
          release();
        }, 5);
        """);
  }

  @Test
  void abort_grants_nothing_to_shared_requests_behind_an_exclusive_one() {
    assertLogs(
        List.of("first held", "aborted", "second held beside the first"),
        List.of("first held", "aborted"),
        Variant.ABORT_GRANTS_NOTHING,
        """
        const controller = new AbortController();
        navigator.locks.request('a', {mode: 'shared'}, () => {
          console.log('first held');
          return new Promise(() => {});
        });
        navigator.locks.request('a', {signal: controller.signal}, () => {})
            .catch(() => console.log('aborted'));
        navigator.locks.request('a', {mode: 'shared'},
            () => console.log('second held beside the first'));
        setTimeout(() => controller.abort(), 10);
        """);
  }

  @Test
  void end_grants_nothing_when_a_worker_is_terminated() {
    for (boolean draft : new boolean[] {true, false}) {
      forEachSeed(
          draft ? DRAFT : Set.of(Variant.END_GRANTS_NOTHING),
          scenario -> {
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
            assertEquals(draft ? List.of("passed on") : List.of(), scenario.run());
          });
    }
  }

  @Test
  void end_grants_nothing_until_the_name_is_requested_again() {
    forEachSeed(
        Set.of(Variant.END_GRANTS_NOTHING),
        scenario -> {
          scenario.window("navigator.locks.request('a', () => new Promise(() => {}));").run();
          scenario.window("navigator.locks.request('a', () => console.log('passed on'));").run();
          assertEquals(List.of(), scenario.closeWindow(0).run());
          scenario.window("navigator.locks.request('a', () => console.log('asked next'));");
          assertEquals(List.of("passed on", "asked next"), scenario.run());
        });
  }

  @Test
  void signal_before_options_checks_the_aborted_signal_before_name_and_options() {
    assertLogs(
        List.of("NotSupportedError", "NotSupportedError", "my reason"),
        List.of("my reason", "my reason", "my reason"),
        Variant.SIGNAL_BEFORE_OPTIONS,
        """
        const signal = AbortSignal.abort('my reason');
        (async () => {
          for (const [name, options] of [
              ['-a', {signal}], ['a', {signal, ifAvailable: true}], ['a', {signal}]]) {
            await navigator.locks.request(name, options, () => {})
                .catch(e => console.log(e.name ?? e));
          }
        })();
        """);
  }

  @Test
  void query_own_locks_lists_no_locks_of_other_windows() {
    for (boolean draft : new boolean[] {true, false}) {
      forEachSeed(
          draft ? DRAFT : Set.of(Variant.QUERY_OWN_LOCKS),
          scenario -> {
            scenario
                .window(
                    """
                    navigator.locks.request('a', () => new Promise(() => {}));
                    navigator.locks.request('a', () => {});
                    """)
                .run();
            scenario.window(
                """
                navigator.locks.request('b', async () => {
                  const {held, pending} = await navigator.locks.query();
                  console.log(held.map(l => l.name) + ' and ' + pending.map(l => l.name));
                });
                """);
            assertEquals(List.of(draft ? "a,b and a" : "b and "), scenario.run());
          });
    }
  }

  @Test
  void lock_stolen_message_turns_an_application_error_into_an_abort_error() {
    assertLogs(
        List.of("Error true", "Error true", "TypeError"),
        List.of("AbortError false", "Error true", "TypeError"),
        Variant.LOCK_STOLEN_MESSAGE,
        """
        (async () => {
          for (const message of ['LOCK_STOLEN', 'LOCK']) {
            const mine = new Error(message);
            await navigator.locks.request('a', async () => { throw mine; })
                .catch(e => console.log(e.name, e === mine));
          }
          const hostile = {get message() { throw new RangeError(); }, name: 'TypeError'};
          await navigator.locks.request('a', async () => { throw hostile; })
              .catch(e => console.log(e.name));
        })();
        """);
  }

  @Test
  void if_available_joins_queue_behind_an_exclusive_request() {
    assertLogs(
        List.of("null"),
        List.of(),
        Variant.IF_AVAILABLE_JOINS_QUEUE,
        """
        navigator.locks.request('a', {mode: 'shared'}, () => new Promise(() => {}));
        navigator.locks.request('a', () => {});
        navigator.locks.request('a', {mode: 'shared', ifAvailable: true},
            lock => console.log(String(lock)));
        """);
  }

  // ---- several at once -------------------------------------------------------------------------

  private static final String TOUR =
      """
      const log = [];
      const controller = new AbortController();
      navigator.locks.request('a', lock => { log.push('in request'); });
      log.push('after');
      navigator.locks.request('t', () => { throw new Error('t'); }).catch(() => log.push('threw'));
      navigator.locks.request('-', {signal: AbortSignal.abort('first')}, () => {})
          .catch(e => log.push(e.name ?? e));
      setTimeout(async () => {
        const held = (await navigator.locks.query()).held.map(l => l.name);
        console.log(log.join(), 'held ' + held);
      }, 50);
      """;

  @Test
  void named_sets_reproduce_the_behaviour_of_the_engines_they_are_named_after() {
    assertLog(
        List.of("after,in request,threw,NotSupportedError held "),
        DRAFT,
        TOUR.replace("log.push(e.name ?? e)", "setTimeout(() => log.push(e.name ?? e), 20)"));
    assertLog(List.of("in request,after,threw,first held t"), Variant.sets().get("node"), TOUR);
    assertLog(
        List.of("in request,after,threw,NotSupportedError held "),
        Variant.sets().get("deno"),
        TOUR.replace("log.push(e.name ?? e)", "setTimeout(() => log.push(e.name ?? e), 20)"));
  }
}
