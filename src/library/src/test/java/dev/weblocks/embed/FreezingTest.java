package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.FrozenLocks;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Windows that freeze and resume, and their locks. */
class FreezingTest {

  private static final String HOLDS =
      """
      let release;
      navigator.locks.request('a', () => {
        console.log('holds');
        return new Promise(resolve => { release = resolve; });
      }).then(v => console.log('released ' + v), e => console.log(e.name + ': ' + e.message));
      """;

  /** Runs the steps under several seeds, and so under several orders of concurrent steps. */
  private static void underSeveralSeeds(Consumer<Scenario> steps) {
    for (long seed = 1; seed <= TestSize.seeds(8); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        steps.accept(scenario);
        assertEquals(List.of(), scenario.errors());
      }
    }
  }

  /** Returns the result of a completed stage; fails if it is not completed. */
  private static <T> T now(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    assertTrue(future.isDone(), "not done yet");
    return future.join();
  }

  private static void assertLog(Scenario scenario, String... lines) {
    assertEquals(List.of(lines), scenario.run());
  }

  @Test
  void freeze_and_resume_events_fire_and_nothing_runs_between_them() {
    underSeveralSeeds(scenario -> {
      scenario.window(
          """
          document.onfreeze = e => {
            console.log(e.type, e.target === document, e.bubbles, e.cancelable, e.isTrusted);
            setTimeout(() => console.log('timer of the freeze'));
            Promise.resolve().then(() => console.log('microtask of the freeze'));
          };
          document.addEventListener('resume', e => {
            console.log(e.type, e.target === document, e.bubbles, e.cancelable, e.isTrusted);
            Promise.resolve().then(() => console.log('microtask of the resume'));
          });
          """);
      scenario.run();
      Window window = scenario.at(0);
      CompletionStage<Boolean> frozen = window.freeze();
      assertFalse(window.isFrozen());
      assertLog(scenario, "freeze true false false true", "microtask of the freeze");
      assertTrue(now(frozen));
      assertTrue(window.isFrozen());
      scenario.runFor(1_000);
      assertEquals(2, scenario.log().size());
      CompletionStage<Void> resumed = window.resume();
      assertTrue(window.isFrozen());
      assertLog(
          scenario,
          "freeze true false false true",
          "microtask of the freeze",
          "resume true false false true",
          "microtask of the resume",
          "timer of the freeze");
      now(resumed);
      assertFalse(window.isFrozen());
    });
  }

  @Test
  void tasks_wait_in_order_and_due_timers_fire_once_after_the_resume() {
    underSeveralSeeds(scenario -> {
      scenario.window(
          """
          document.onfreeze = () => {
            setTimeout(() => console.log('second'), 20);
            setTimeout(() => console.log('first'), 10);
            setTimeout(() => console.log('late'), 10000);
            let beats = 0;
            const interval = setInterval(() => {
              console.log('beat');
              if (++beats === 2) clearInterval(interval);
            }, 15);
            fetch('/one.txt').then(() => console.log('fetched'));
          };
          document.onresume = () => console.log('resume');
          """);
      scenario.resource("/one.txt", "one");
      scenario.run();
      now(scenario.runFor(0).at(0).resume()); // not frozen: a no-op
      scenario.at(0).freeze();
      scenario.runFor(5_000);
      assertEquals(List.of(), scenario.log());
      scenario.at(0).resume();
      scenario.runFor(10);
      assertEquals(List.of("resume", "fetched", "first", "beat", "second"), scenario.log());
      scenario.runFor(100);
      assertEquals("beat", scenario.log().getLast());
      scenario.runFor(10_000);
      assertEquals("late", scenario.log().getLast());
      assertEquals(7, scenario.log().size());
    });
  }

  @Test
  void calls_to_freeze_and_resume_take_effect_in_order() {
    underSeveralSeeds(scenario -> {
      scenario.window("document.onfreeze = document.onresume = e => console.log(e.type);");
      scenario.run();
      Window window = scenario.at(0);
      List<String> done = new ArrayList<>();
      window.freeze().thenAccept(frozen -> done.add("frozen " + frozen));
      window.freeze().thenAccept(frozen -> done.add("still frozen " + frozen));
      window.resume().thenRun(() -> done.add("resumed"));
      window.resume().thenRun(() -> done.add("still resumed"));
      window.freeze().thenAccept(frozen -> done.add("frozen again " + frozen));
      assertLog(scenario, "freeze", "resume", "freeze");
      assertEquals(
          List.of(
              "frozen true", "still frozen true", "resumed", "still resumed", "frozen again true"),
          done);
      assertTrue(window.isFrozen());
    });
  }

  @Test
  void workers_and_nested_workers_freeze_with_their_owner() {
    underSeveralSeeds(scenario -> {
      scenario.resource(
          "/inner.js",
          """
          onmessage = e => console.log('inner ' + e.data);
          setTimeout(() => console.log('inner timer'), 100);
          """);
      scenario.resource(
          "/outer.js",
          """
          const inner = new Worker('/inner.js');
          onmessage = e => { console.log('outer ' + e.data); inner.postMessage(e.data); };
          setTimeout(() => console.log('outer timer'), 100);
          """);
      scenario.window(
          """
          const outer = new Worker('/outer.js');
          document.onfreeze = () => outer.postMessage('freezes');
          setTimeout(() => console.log('window timer'), 100);
          """);
      scenario.runFor(50);
      CompletionStage<Boolean> frozen = scenario.at(0).freeze();
      scenario.runFor(5_000);
      assertTrue(now(frozen));
      List<String> before = scenario.log();
      // messages of the freeze event may have arrived, but no timer was due
      assertFalse(before.stream().anyMatch(line -> line.endsWith("timer")), before::toString);
      scenario.at(0).resume();
      List<String> all = new ArrayList<>(scenario.run());
      all.sort(null);
      assertEquals(
          List.of("inner freezes", "inner timer", "outer freezes", "outer timer", "window timer"),
          all);
    });
  }

  @Test
  void worker_started_in_the_freeze_event_is_frozen_too() {
    underSeveralSeeds(scenario -> {
      scenario.resource(
          "/w.js", "console.log('begins'); setTimeout(() => console.log('timer'), 100);");
      scenario.window("document.onfreeze = () => { new Worker('/w.js'); };");
      scenario.run();
      scenario.at(0).freeze();
      scenario.runFor(10_000);
      assertFalse(scenario.log().contains("timer"));
      scenario.at(0).resume();
      assertLog(scenario, "begins", "timer");
    });
  }

  @Test
  void window_frozen_before_its_document_loads_starts_after_the_resume() {
    underSeveralSeeds(scenario -> {
      scenario.window(
          "document.onfreeze = document.onresume = e => console.log(e.type);"
              + "console.log('script');");
      CompletionStage<Boolean> frozen = scenario.at(0).freeze();
      scenario.run();
      assertTrue(now(frozen));
      scenario.at(0).resume();
      scenario.run();
      assertEquals("script", scenario.log().get(0));
    });
  }

  @Test
  void other_windows_continue_during_a_freeze() {
    underSeveralSeeds(scenario -> {
      scenario.window("setTimeout(() => console.log('frozen one'), 10)");
      scenario.window("setTimeout(() => console.log('other one'), 10)");
      scenario.runFor(5);
      scenario.at(0).freeze();
      assertLog(scenario, "other one");
    });
  }

  // ---- locks -----------------------------------------------------------------------------------

  @Test
  void by_default_windows_with_locks_or_requests_are_not_frozen() {
    underSeveralSeeds(scenario -> {
      scenario.window(HOLDS + "document.onfreeze = document.onresume = e => console.log(e.type);");
      scenario.run();
      scenario.window(
          "navigator.locks.request('a', () => console.log('granted'));"
              + "document.onfreeze = document.onresume = e => console.log(e.type);");
      scenario.run();
      CompletionStage<Boolean> holder = scenario.at(0).freeze();
      CompletionStage<Boolean> waiter = scenario.at(1).freeze();
      assertLog(scenario, "holds");
      assertFalse(now(holder));
      assertFalse(now(waiter));
      assertFalse(scenario.at(0).isFrozen());
    });
  }

  @Test
  void by_default_a_lock_of_a_worker_prevents_freezing_of_its_owner() {
    underSeveralSeeds(scenario -> {
      scenario.resource("/inner.js", HOLDS);
      scenario.resource("/outer.js", "new Worker('/inner.js');");
      scenario.window(
          "new Worker('/outer.js');"
              + "document.onfreeze = document.onresume = e => console.log(e.type);");
      scenario.run();
      CompletionStage<Boolean> frozen = scenario.at(0).freeze();
      assertLog(scenario, "holds");
      assertFalse(now(frozen));
    });
  }

  @Test
  void freeze_is_reverted_if_its_event_listener_requests_a_lock() {
    underSeveralSeeds(scenario -> {
      scenario.window(
          """
          document.onfreeze = () => {
            console.log('freeze');
            navigator.locks.request('a', () => console.log('granted'));
          };
          document.onresume = () => console.log('resume');
          """);
      scenario.run();
      CompletionStage<Boolean> frozen = scenario.at(0).freeze();
      assertLog(scenario, "freeze", "resume", "granted");
      assertFalse(now(frozen));
      assertFalse(scenario.at(0).isFrozen());
    });
  }

  @Test
  void page_that_releases_its_locks_in_the_freeze_event_freezes() {
    underSeveralSeeds(scenario -> {
      scenario.window(HOLDS + "document.onfreeze = () => release('in time');");
      scenario.run();
      scenario.window("navigator.locks.request('a', () => console.log('passed on'));");
      scenario.run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      assertLog(scenario, "holds", "passed on");
      scenario.at(0).resume();
      assertLog(scenario, "holds", "passed on", "released in time");
    });
  }

  @Test
  void frozen_windows_keep_locks_and_get_new_grants_under_policy_keep() {
    underSeveralSeeds(scenario -> {
      scenario.window(HOLDS + "document.onresume = () => release('late');");
      scenario.run();
      scenario.window("navigator.locks.request('a', () => console.log('second'));");
      scenario.run();
      scenario.window("navigator.locks.request('a', () => console.log('third'));");
      scenario.run();
      CompletionStage<Boolean> first = scenario.at(0).freeze(FrozenLocks.KEEP);
      CompletionStage<Boolean> second = scenario.at(1).freeze(FrozenLocks.KEEP);
      assertLog(scenario, "holds");
      assertTrue(now(first));
      assertTrue(now(second));
      scenario.at(0).resume();
      // the second window has the lock, but its callback has not run yet
      assertLog(scenario, "holds", "released late");
      scenario.at(1).resume();
      assertLog(scenario, "holds", "released late", "second", "third");
    });
  }

  @Test
  void lock_released_by_freeze_is_granted_again_and_holder_gets_abort_error() {
    underSeveralSeeds(scenario -> {
      scenario.window(HOLDS + "document.onresume = () => { console.log('resume'); release(1); };");
      scenario.run();
      scenario.window(
          "navigator.locks.request('a', () => { console.log('passed on');"
              + " return new Promise(() => {}); });");
      scenario.run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      assertLog(scenario, "holds", "passed on");
      scenario.at(0).resume();
      // the callback still settles, which does not release the lock of the other window
      scenario.window(
          "navigator.locks.query().then(s => console.log(s.held.length, s.pending.length));");
      List<String> log = scenario.run();
      assertEquals(5, log.size(), log::toString);
      assertTrue(log.contains("resume"));
      assertTrue(log.contains("1 0"));
      assertTrue(log.contains("AbortError: The lock was released when the page was frozen."));
    });
  }

  @Test
  void pending_request_of_a_frozen_window_is_requeued_last_after_resume() {
    underSeveralSeeds(scenario -> {
      scenario.window(HOLDS);
      scenario.run();
      scenario.window("navigator.locks.request('a', () => console.log('frozen one'));");
      scenario.run();
      scenario.window(
          "let free; navigator.locks.request('a', () => { console.log('third');"
              + " return new Promise(r => setTimeout(r, 10000)); });");
      scenario.runFor(10);
      scenario.at(1).freeze(FrozenLocks.RELEASE);
      scenario.runFor(10);
      scenario.at(0).close();
      scenario.runFor(10);
      assertEquals(List.of("holds", "third"), scenario.log());
      scenario.window("navigator.locks.request('a', () => console.log('fourth'));");
      scenario.runFor(10);
      scenario.at(1).resume();
      assertLog(scenario, "holds", "third", "fourth", "frozen one");
    });
  }

  @Test
  void request_withdrawn_during_a_freeze_can_be_aborted_after_the_resume() {
    underSeveralSeeds(scenario -> {
      scenario.window(HOLDS);
      scenario.run();
      scenario.window(
          """
          const c = new AbortController();
          navigator.locks.request('a', {signal: c.signal}, () => console.log('never'))
              .catch(e => console.log(e.name));
          document.onresume = () => c.abort();
          """);
      scenario.run();
      scenario.at(1).freeze(FrozenLocks.RELEASE);
      scenario.run();
      scenario.at(1).resume();
      assertLog(scenario, "holds", "AbortError");
      scenario.at(0).close();
      scenario.run();
      scenario.window(
          "navigator.locks.query().then(s => console.log(s.held.length, s.pending.length));");
      assertEquals("0 0", scenario.run().getLast());
    });
  }

  /** The window freezes while the grant is a queued task that has not run. */
  @Test
  void freeze_undoes_a_grant_in_flight_and_resume_requests_the_lock_again() {
    underSeveralSeeds(scenario -> {
      scenario.window(
          """
          document.onfreeze = () => {
            for (const options of [{}, {ifAvailable: true}, {steal: true}]) {
              const name = JSON.stringify(options);
              navigator.locks.request(name, options, async lock => {
                const {held} = await navigator.locks.query();
                console.log(name, lock !== null, held.filter(l => l.name === name).length);
              });
            }
          };
          """);
      scenario.run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      scenario.run();
      scenario.window(
          "navigator.locks.query().then(s => console.log(s.held.length, s.pending.length));");
      assertLog(scenario, "0 0");
      scenario.at(0).resume();
      List<String> log = new ArrayList<>(scenario.run());
      log.sort(null);
      assertEquals(
          List.of("0 0", "{\"ifAvailable\":true} true 1", "{\"steal\":true} true 1", "{} true 1"),
          log);
    });
  }

  @Test
  void steal_request_withdrawn_during_a_freeze_steals_nothing_after_the_resume() {
    underSeveralSeeds(scenario -> {
      scenario.window(
          "document.onfreeze = () =>"
              + " navigator.locks.request('a', {steal: true}, () => console.log('thief'));");
      scenario.run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      scenario.run();
      scenario.window(HOLDS + "setTimeout(() => release('unharmed'), 1000);");
      scenario.runFor(100);
      scenario.at(0).resume();
      List<String> log = scenario.run();
      assertEquals("holds", log.get(0));
      assertTrue(log.contains("released unharmed"), log::toString);
      assertTrue(log.contains("thief"), log::toString);
    });
  }

  @Test
  void locks_of_workers_are_released_when_their_window_is_frozen() {
    underSeveralSeeds(scenario -> {
      scenario.resource("/w.js", HOLDS);
      scenario.window("new Worker('/w.js');");
      scenario.run();
      scenario.window("navigator.locks.request('a', () => console.log('passed on'));");
      scenario.run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      assertLog(scenario, "holds", "passed on");
      scenario.at(0).resume();
      assertEquals(
          "AbortError: The lock was released when the page was frozen.", scenario.run().getLast());
    });
  }

  // ---- the end ---------------------------------------------------------------------------------

  @Test
  void closing_a_frozen_window_ends_its_workers_and_releases_kept_locks() {
    underSeveralSeeds(scenario -> {
      scenario.resource("/w.js", HOLDS);
      scenario.window("new Worker('/w.js');");
      scenario.run();
      scenario.window("navigator.locks.request('a', () => console.log('passed on'));");
      scenario.run();
      Window window = scenario.at(0);
      window.freeze(FrozenLocks.KEEP);
      assertLog(scenario, "holds");
      CompletionStage<Void> resumed = window.resume();
      window.close();
      assertLog(scenario, "holds", "passed on");
      now(window.ended());
      assertThrows(CompletionException.class, () -> now(resumed));
      assertThrows(CompletionException.class, () -> now(window.freeze()));
    });
  }

  @Test
  void worker_terminated_in_the_freeze_event_does_not_prevent_the_freeze() {
    underSeveralSeeds(scenario -> {
      scenario.resource("/w.js", "onmessage = () => {};");
      scenario.window("const w = new Worker('/w.js'); document.onfreeze = () => w.terminate();");
      scenario.run();
      CompletionStage<Boolean> frozen = scenario.at(0).freeze();
      scenario.run();
      assertTrue(now(frozen));
      scenario.at(0).resume();
      scenario.run();
      assertFalse(scenario.at(0).isFrozen());
    });
  }

  @Test
  void document_was_discarded_is_true_when_a_discarded_window_reopens() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window("console.log(document.wasDiscarded, location.href);");
      scenario.run();
      Window window = scenario.at(0);
      assertThrows(IllegalStateException.class, window::reopen);
      window.discard();
      scenario.run();
      Window again = window.reopen();
      String url = Scenario.ORIGIN + "/window-0.html";
      assertLog(scenario, "false " + url, "true " + url);
      assertThrows(IllegalStateException.class, again::reopen);
    }
  }
}
