package dev.weblocks.serviceworkers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fetches of those that a service worker controls. */
class FetchEventTest {

  private static final int SEEDS = 10;

  /** Registers /sw.js in a window, and waits until it is active. */
  private static final String REGISTER =
      """
      async function active(script = '/sw.js', options = {}) {
        const registration = await navigator.serviceWorker.register(script, options);
        const worker = registration.installing ?? registration.waiting ?? registration.active;
        if (worker.state !== 'activated') {
          await new Promise(resolve => worker.onstatechange = () => worker.state === 'activated' && resolve());
        }
        return registration;
      }
      """;

  /** A page that a service worker controls sees the same id in two ways. */
  @Test
  void client_id_of_a_fetch_is_the_one_that_locks_show() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource(
                "/sw.js",
                """
                onfetch = e => {
                  if (new URL(e.request.url).pathname === '/clientId') {
                    e.respondWith(new Response(JSON.stringify({ clientId: e.clientId })));
                  }
                };
                """)
            .window(REGISTER + "active().then(() => console.log('registered'));");
        assertEquals(List.of("registered"), scenario.run(), "seed " + seed);
        scenario.window(
            """
            (async () => {
              const { clientId } = await (await fetch('/clientId')).json();
              await navigator.locks.request('lock', async () => {
                const { held } = await navigator.locks.query();
                console.log(held[0].clientId === clientId, clientId.length);
                console.log(navigator.serviceWorker.controller.scriptURL);
              });
            })();
            """);
        assertEquals(
            List.of("registered", "true 36", "https://one.test/sw.js"),
            scenario.run(),
            "seed " + seed);
      }
    }
  }
}
