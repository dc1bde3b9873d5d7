package dev.weblocks.serviceworkers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.function.UnaryOperator;

/** Scripts and helpers shared by the tests of this package. */
final class Scripts {

  private static final int SEEDS = TestSize.seeds(8);

  private Scripts() {}

  /** Functions for windows. */
  static final String WINDOW =
      """
      const sw = navigator.serviceWorker;
      const { log } = console;
      const state = (worker, wanted) => new Promise(resolve => {
        const look = () => worker.state === wanted && resolve(worker);
        worker.addEventListener('statechange', look);
        look();
      });
      // Registers a worker and waits until it is active.
      async function active(script = '/sw.js', options = {}) {
        const registration = await sw.register(script, options);
        await state(registration.installing ?? registration.waiting ?? registration.active, 'activated');
        return registration;
      }
      const controlled = () => sw.controller ? Promise.resolve() : new Promise(resolve => sw.addEventListener('controllerchange', resolve, { once: true }));
      const message = () => new Promise(resolve => sw.addEventListener('message', e => resolve(e.data), { once: true }));
      const name = e => `${e.constructor.name} ${e.name}`;
      """;

  /** Wraps a script for a window into an async function that logs its exception. */
  static String async(String script) {
    return WINDOW + "(async () => {" + script + "})().catch(e => log(`failed: ${e}`));";
  }

  /** Expects the same console output under every seed. */
  static void assertLog(List<String> expected, UnaryOperator<Scenario> setup) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        assertEquals(expected, setup.apply(scenario).run(), "seed " + seed);
      }
    }
  }
}
