package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Service workers that never return, on real threads. */
class ServiceWorkerTerminationTest {

  private static final String WORKER =
      """
      onfetch = e => {
        switch (new URL(e.request.url).pathname) {
          case '/spin': console.log('spins'); while (true);
          case '/hold':
            navigator.locks.request('l', () => new Promise(() => {}));
            break;
          case '/fine': e.respondWith(new Response('fine'));
        }
      };
      onactivate = e => e.waitUntil(clients.claim());
      """;

  private static final String PAGE =
      """
      (async () => {
        const sw = navigator.serviceWorker;
        const controlled = new Promise(resolve => sw.oncontrollerchange = resolve);
        await sw.register('/sw.js');
        await controlled;
        await fetch('/hold').then(r => console.log(r.status));
        navigator.locks.request('l', () => console.log('granted'));
        fetch('/spin').then(r => console.log('answered'), e => console.log(e.name));
      })();
      """;

  @Test
  void spinning_worker_is_stopped_and_the_next_event_starts_it_again() throws Exception {
    try (Pool pool = new Pool(2)) {
      pool.resource("/sw.js", WORKER).window(PAGE);
      pool.expect("404");
      pool.expect("spins");
      pool.stopServiceWorkers();
      // the lock passes on and the fetch fails, in either order
      String first = pool.next();
      String second = pool.next();
      assertEquals(
          "TypeError granted",
          first.equals("granted") ? second + " " + first : first + " " + second);
      pool.window(
          """
          fetch('/fine').then(r => r.text()).then(console.log);
          """);
      pool.expect("fine");
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void each_fetch_fails_if_the_service_worker_that_handles_it_is_stopped() throws Exception {
    try (Pool pool = new Pool(2)) {
      pool.resource("/sw.js", WORKER)
          .window(
              """
              (async () => {
                await navigator.serviceWorker.register('/sw.js');
                await navigator.serviceWorker.ready;
                console.log('ready');
              })();
              """);
      pool.expect("ready");
      for (int i = 0; i < 20; i++) {
        pool.window("fetch('/spin').then(r => console.log('answered'), e => console.log(e.name))");
        pool.expect("spins");
        pool.stopServiceWorkers();
        pool.expect("TypeError");
      }
    }
  }

  @Test
  void spinning_worker_ends_with_its_user_agent() throws Exception {
    try (Pool pool = new Pool(2)) {
      pool.resource("/sw.js", "console.log('spins'); while (true);")
          .window("navigator.serviceWorker.register('/sw.js')");
      pool.expect("spins");
      pool.closeUserAgent();
    }
  }
}
