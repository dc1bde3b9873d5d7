package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.InMemoryResources;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.explore.SharedEnvironment;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Turns of real scripts, whose operations must have known footprints. */
class ScriptFootprintsTest {

  /** Windows of one origin with a script each. */
  private record Windows(boolean module, List<String> codes) implements Scenario {

    @Override
    public boolean prepares(Schedule.Actor actor) {
      return !actor.name().equals(Schedule.CLOCK)
          && !actor.nextStep().startsWith("networking: response ")
          && !actor.nextStep().startsWith("networking: module ");
    }

    @Override
    public Play begin(Schedule schedule, @Nullable TraceListener trace) {
      DeterministicDriver driver = Driver.deterministic(schedule);
      List<String> errors = new ArrayList<>();
      InMemoryResources site = ResourceLoader.inMemory();
      for (int i = 0; i < codes.size(); i++) {
        String script = "https://localhost/code-" + i + ".js";
        site.put(script, codes.get(i));
        site.put(
            "https://localhost/" + i + ".html",
            "<!DOCTYPE html><body><script %s src=\"%s\"></script>"
                .formatted(module ? "type=module" : "", script));
      }
      UserAgent userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(SharedEnvironment.ENVIRONMENT)
              .resourceLoader(site.build())
              .errorListener(error -> errors.add(error.message()))
              .build();
      for (int i = 0; i < codes.size(); i++) {
        userAgent.open("https://localhost/" + i + ".html");
      }
      return new Play() {
        @Override
        public boolean step() {
          return driver.runOne();
        }

        @Override
        public @Nullable Finding finding() {
          return errors.isEmpty()
              ? null
              : new Finding(Finding.Kind.ASSERTION, "", errors.toString());
        }

        @Override
        public @Nullable Finding findingAtRest() {
          return finding();
        }

        @Override
        public long state() {
          return 0;
        }

        @Override
        public List<String> takeEvents() {
          return List.of();
        }

        @Override
        public void close() {
          userAgent.close();
          driver.close();
        }
      };
    }
  }

  private static Scenario scenario(boolean module, String... codes) {
    return new Windows(module, List.of(codes));
  }

  /** Runs a scenario in some random orders; returns operations with unknown footprints. */
  private static Set<String> unknown(Scenario scenario) {
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
