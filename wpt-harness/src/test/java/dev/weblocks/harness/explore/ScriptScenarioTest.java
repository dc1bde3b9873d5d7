package dev.weblocks.harness.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Schedule;
import dev.weblocks.harness.SharedEnvironment;
import dev.weblocks.harness.run.Imports;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Turns of real scripts, whose operations must have known footprints. */
class ScriptScenarioTest {

  private static final Path DIRECTORY = Path.of("").toAbsolutePath();

  private static ScriptScenario scenario(boolean module, String... codes) {
    List<Program> programs = new ArrayList<>();
    for (int i = 0; i < codes.length; i++) {
      programs.add(
          new Program(
              "[" + i + "]", DIRECTORY, "code-" + i, codes[i], module, Imports.OWN_DIRECTORY));
    }
    Site site =
        new Site(
            "https://localhost",
            List.of(DIRECTORY),
            DIRECTORY,
            Set.of(),
            request -> CompletableFuture.failedFuture(new IOException("no network")),
            Runnable::run,
            note -> {});
    return new ScriptScenario(
        site,
        programs,
        SharedEnvironment.ENVIRONMENT,
        builder -> {},
        run -> {},
        (run, locks) -> locks.toString(),
        null);
  }

  /** Runs a scenario in some random orders; returns operations with unknown footprints. */
  private static Set<String> unknown(ScriptScenario scenario) {
    Set<String> unknown = new TreeSet<>();
    Strategy strategy = Strategy.random(1);
    for (int i = 0; i < 5; i++) {
      KnownFootprints known = new KnownFootprints();
      Footprints telling =
          turn -> {
            Footprint footprint = known.of(turn);
            if (footprint.everything() && !turn.actor().equals(Schedule.CLOCK)) {
              for (String way : turn.reached()) {
                Schedule.Turn alone =
                    new Schedule.Turn(1, "x", "web locks: grant", 0, Set.of(), Set.of(way));
                if (new KnownFootprints().of(alone).everything()) {
                  unknown.add(way);
                }
              }
              Schedule.Turn alone =
                  new Schedule.Turn(1, turn.actor(), turn.step(), 0, Set.of(), Set.of());
              if (new KnownFootprints().of(alone).everything()) {
                unknown.add("step " + turn.step());
              }
            }
            return footprint;
          };
      ScheduleRunner runner =
          new ScheduleRunner(scenario, () -> telling, false, 1_000, () -> false);
      assertNull(runner.run(strategy.next()).finding());
    }
    return unknown;
  }

  private static void assertAllIsKnown(String... codes) {
    assertEquals(Set.of(), unknown(scenario(false, codes)), "of classic scripts");
    assertEquals(Set.of(), unknown(scenario(true, codes)), "of modules");
  }

  @Test
  void footprints_of_all_lock_operations_are_known() {
    assertAllIsKnown(
        """
        navigator.locks.request('a', async lock => {
          console.log(lock.name, lock.mode);
          await navigator.locks.request('b', {mode: 'shared'}, () => {});
          console.log(await navigator.locks.query());
        });
        """,
        """
        const controller = new AbortController();
        navigator.locks.request('a', {signal: controller.signal}, () => {}).catch(() => {});
        navigator.locks.request('a', {ifAvailable: true}, lock => {
          controller.abort();
        });
        navigator.locks.request('b', {steal: true}, () => {}).catch(error => {
          if (error.name !== 'AbortError') throw error;
        });
        """);
  }

  @Test
  void footprints_of_storage_timers_and_events_are_known() {
    String code =
        """
        localStorage.setItem('a', Number(localStorage.getItem('a')) + 1);
        localStorage.b = 2;
        addEventListener('storage', event => console.log(event.key, localStorage.length));
        onload = () => setTimeout(() => queueMicrotask(() => { clearTimeout(1); }), 10);
        document.addEventListener('DOMContentLoaded', () => dispatchEvent(new Event('x')));
        AbortSignal.timeout(5).onabort = () => {};
        new Promise((resolve, reject) => setTimeout(reject)).catch(() => performance.now());
        """;
    assertAllIsKnown(code, code);
  }

  @Test
  void footprints_of_messages_are_known() {
    String code =
        """
        const channel = new BroadcastChannel('c');
        channel.onmessage = event => console.log(event.data);
        channel.postMessage('hello');
        const {port1, port2} = new MessageChannel();
        port1.onmessage = event => { port1.close(); channel.close(); };
        port2.postMessage(structuredClone({a: 1}));
        """;
    assertAllIsKnown(code, code);
  }

  @Test
  void unlisted_operations_have_unknown_footprints() {
    assertTrue(
        unknown(scenario(false, "new Worker('data:text/javascript,'); fetch('data:,')"))
            .containsAll(Arrays.asList("Worker.constructor/0", "Window.call fetch/0")));
  }
}
