package dev.weblocks.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The end of dedicated workers, with their messages and locks. */
class WorkerLifetimeTest {

  private static final String LOUD =
      """
      let count = 0;
      navigator.locks.request('held', () => new Promise(() => {}));
      const {port1, port2} = new MessageChannel();
      port1.onmessage = () => {};
      postMessage('hello', [port2]);
      (function again() { postMessage(++count); setTimeout(again); })();
      """;

  private static boolean hasEnded(Scenario scenario, String agent) {
    return scenario.trace().contains("AGENT " + agent + ": has ended");
  }

  /** Covers all phases of a worker, from its constructor to repeated messages. */
  @Test
  void worker_terminated_at_any_turn_ends_and_sends_nothing_more() {
    for (int turns = 0; turns < 40; turns += TestSize.of(7, 1)) {
      try (Scenario scenario = new Scenario(turns)) {
        scenario
            .resource("/w.js", "importScripts('/loud.js');")
            .resource("/loud.js", LOUD)
            .window(
                """
                const worker = new Worker('/w.js');
                let terminated = false;
                worker.onmessage = e => {
                  if (terminated) console.log('after terminate()');
                  if (e.ports[0]) e.ports[0].onclose = () => console.log('port closed');
                };
                worker.onerror = () => console.log('error');
                worker.postMessage('one');
                let left = %d;
                (function again() {
                  if (left-- > 0) { setTimeout(again); return; }
                  worker.terminate();
                  terminated = true;
                  worker.postMessage('two');
                  navigator.locks.request('held', () => console.log('lock is free'));
                })();
                """
                    .formatted(turns));
        List<String> log = scenario.run();
        assertTrue(log.contains("lock is free"), turns + " turns: " + log);
        assertTrue(
            List.of("lock is free", "port closed").containsAll(log), turns + " turns: " + log);
        assertTrue(hasEnded(scenario, "worker-2"), "after " + turns + " turns");
      }
    }
  }

  @Test
  void owner_ending_at_any_turn_ends_its_nested_workers() {
    for (int turns = 1; turns < 120; turns += TestSize.of(19, 3)) {
      try (Scenario scenario = new Scenario(turns)) {
        scenario
            .resource("/inner.js", "setInterval(() => {}, 1);")
            .resource(
                "/middle.js", "new Worker('/inner.js'); new Worker('/inner.js', {type: 'module'});")
            .resource("/outer.js", "new Worker('/middle.js'); setInterval(() => {}, 1);")
            .window("new Worker('/outer.js'); new SharedWorker('/outer.js');");
        for (int i = 0; i < turns; i++) {
          scenario.runTurn();
        }
        scenario.closeWindow(0).runSteps(10_000); // throws if work is left
        List<String> begun = agents(scenario, "begins");
        List<String> ended = agents(scenario, "has ended");
        begun.removeAll(ended);
        assertEquals(List.of(), begun, "after " + turns + " turns");
        assertEquals(List.of(), scenario.errors());
      }
    }
  }

  private static List<String> agents(Scenario scenario, String what) {
    Stream<String> lines =
        scenario.trace().stream().filter(line -> line.matches("AGENT .*: " + what));
    return new ArrayList<>(lines.map(line -> line.replaceFirst("AGENT (.*): .*", "$1")).toList());
  }

  @Test
  void terminating_a_worker_ends_its_nested_workers_but_not_its_siblings() {
    for (int seed = 0; seed < TestSize.seeds(5); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource("/inner.js", "setInterval(() => {}, 10);")
            .resource("/outer.js", "new Worker('/inner.js'); postMessage('');")
            .resource(
                "/beside.js", "setTimeout(() => { postMessage('still here'); close(); }, 500);")
            .window(
                """
                new Worker('/beside.js').onmessage = e => console.log(e.data);
                const outer = new Worker('/outer.js');
                outer.onmessage = () => setTimeout(() => outer.terminate(), 50);
                """)
            .runFor(200);
        assertTrue(hasEnded(scenario, "worker-3"));
        assertTrue(hasEnded(scenario, "worker-4"));
        assertFalse(hasEnded(scenario, "worker-2"));
        assertEquals(List.of("still here"), scenario.run());
      }
    }
  }

  @Test
  void closing_worker_ends_its_nested_workers_and_receives_no_more_messages() {
    for (int seed = 0; seed < TestSize.seeds(5); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource("/inner.js", "setInterval(() => {}, 10);")
            .resource(
                "/outer.js",
                """
                new Worker('/inner.js');
                onmessage = e => { console.log(e.data); close(); postMessage('last'); };
                """)
            .window(
                """
                const outer = new Worker('/outer.js');
                outer.onmessage = e => { console.log(e.data); outer.postMessage('never'); };
                outer.postMessage('first');
                outer.postMessage('never');
                """);
        assertEquals(List.of("first", "last"), scenario.run());
        assertTrue(hasEnded(scenario, "worker-2"));
        assertTrue(hasEnded(scenario, "worker-3"));
      }
    }
  }

  @Test
  void error_in_flight_still_arrives_after_terminate() {
    for (int seed = 0; seed < TestSize.seeds(5); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource("/w.js", "postMessage(''); throw new Error('mine');")
            .window(
                """
                const worker = new Worker('/w.js');
                worker.onmessage = () => setTimeout(() => worker.terminate(), 10);
                worker.onerror = e => { e.preventDefault(); console.log(e.message); };
                """);
        assertEquals(List.of("Uncaught Error: mine"), scenario.run());
      }
    }
  }
}
