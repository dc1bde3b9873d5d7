package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.TraceEvent;
import dev.weblocks.testing.TestSize;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The deterministic driver with whole programs, whose schedule depends on the seed alone. */
class DeterminismTest {

  private static final String WINDOW =
      """
      const worker = new Worker('/worker.js');
      worker.onmessage = e => { console.log('w' + e.data); };
      for (let i = 0; i < 4; i++) {
        navigator.locks.request('name' + (i % 2), {mode: i % 3 ? 'shared' : 'exclusive'}, async () => {
          worker.postMessage(i);
          await new Promise(r => setTimeout(r, i));
          console.log('window ' + i);
        });
      }
      const controller = new AbortController();
      navigator.locks.request('name0', {signal: controller.signal}, () => {})
          .catch(e => console.log(e.name));
      setTimeout(() => controller.abort(), 1);
      setInterval(function () { if (++this.n === 3) worker.terminate(); }.bind({n: 0}), 5);
      setTimeout(() => navigator.locks.query().then(s =>
          console.log(s.held.length + '/' + s.pending.length)), 2);
      """;

  private static final String WORKER =
      """
      onmessage = e => navigator.locks.request('name' + (e.data % 2), lock => {
        postMessage(lock.name + e.data);
        return new Promise(r => setTimeout(r, 2));
      });
      navigator.locks.request('name1', {steal: true}, () => new Promise(r => setTimeout(r, 1)));
      """;

  private record Run(List<String> trace, List<TraceEvent> steps, List<String> log) {}

  private static Run run(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.resource("/worker.js", WORKER).window(WINDOW).window(WINDOW);
      scenario.runFor(50);
      scenario.closeWindow(1);
      scenario.runFor(50);
      return new Run(scenario.trace(), scenario.steps(), scenario.log());
    }
  }

  @Test
  void same_seed_gives_the_same_trace_byte_for_byte() {
    Run first = run(42);
    assertTrue(first.trace.size() > 150, "a trace of " + first.trace.size() + " is no program");
    assertTrue(first.trace.stream().anyMatch(line -> line.startsWith("LOCK_EFFECT")));
    assertTrue(first.trace.stream().anyMatch(line -> line.startsWith("AGENT worker")));
    for (int i = 0; i < TestSize.of(3, 20); i++) {
      Run again = run(42);
      assertEquals(String.join("\n", first.trace), String.join("\n", again.trace));
      assertEquals(first.steps, again.steps);
      assertEquals(first.log, again.log);
    }
  }

  @Test
  void different_seeds_give_different_schedules_that_script_can_observe() {
    Set<List<String>> logs = new HashSet<>();
    Set<List<String>> actors = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      Run run = run(seed);
      logs.add(run.log);
      actors.add(run.trace.stream().map(line -> line.substring(0, line.indexOf(':'))).toList());
    }
    assertTrue(logs.size() > 1, "every seed logs " + logs);
    // without the ids, which depend on the seed
    assertTrue(actors.size() > 10, "only " + actors.size() + " schedules of 20");
  }

  @Test
  void program_that_never_becomes_idle_fails_with_the_bound_and_a_hint() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window("setInterval(() => {}, 1);");
      IllegalStateException bound =
          org.junit.jupiter.api.Assertions.assertThrows(
              IllegalStateException.class, () -> scenario.runSteps(500));
      assertEquals(
          "still busy after 500 turns; raise the limit, or look for an endless loop",
          bound.getMessage());
    }
  }
}
