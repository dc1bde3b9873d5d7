package dev.weblocks.serviceworkers;

import static dev.weblocks.serviceworkers.Scripts.assertLog;
import static dev.weblocks.serviceworkers.Scripts.async;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Service workers that are stopped, and start again. */
class StopTest {

  private static final String COUNTING =
      """
      console.log('starts');
      let count = 0;
      onfetch = e => { if (e.request.mode !== 'navigate') e.respondWith(new Response(`fetch ${++count}`)) };
      onmessage = e => e.source.postMessage(`message ${++count}`);
      """;

  private static final String FETCH = async("log(await (await fetch('/x')).text());");

  @Test
  void idle_worker_is_stopped_and_the_next_event_starts_it_again() {
    assertLog(
        List.of("starts", "fetch 1", "fetch 2", "starts", "fetch 1", "starts", "message 1"),
        scenario -> {
          scenario.resource("/sw.js", COUNTING).window(async("await active()")).run();
          scenario.window(FETCH).run();
          scenario.window(FETCH).run();
          scenario.stopIdleServiceWorkers().run();
          scenario.window(FETCH).run();
          scenario.stopIdleServiceWorkers().run();
          return scenario.window(
              async("(await sw.ready).active.postMessage(''); log(await message())"));
        });
  }

  @Test
  void worker_is_not_idle_during_an_event_or_with_a_lock() {
    assertLog(
        List.of("waiting", "done", "held", "still held", "released", "stopped: starts anew"),
        scenario -> {
          scenario
              .resource(
                  "/sw.js",
                  """
                  self.started ??= 0;
                  const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
                  onmessage = e => {
                    switch (e.data) {
                      case 'wait': console.log('waiting'); e.waitUntil(sleep(1000).then(() => console.log('done'))); break;
                      case 'hold': self.lock = navigator.locks.request('l', async () => { console.log('held'); await new Promise(resolve => self.release = resolve); console.log('released') }); break;
                      case 'look': console.log(self.release ? 'still held' : 'stopped: starts anew'); self.release?.(); self.release = undefined; break;
                    }
                  };
                  """)
              .window(async("(await active()).active.postMessage('wait')"))
              .runFor(500);
          scenario.stopIdleServiceWorkers().runFor(5_000);
          scenario.window(async("(await sw.ready).active.postMessage('hold')")).runFor(1_000);
          scenario.stopIdleServiceWorkers().runFor(1_000);
          scenario.window(async("(await sw.ready).active.postMessage('look')")).runFor(1_000);
          scenario.stopIdleServiceWorkers().runFor(1_000);
          return scenario.window(async("(await sw.ready).active.postMessage('look')"));
        });
  }

  @Test
  void locks_of_a_stopped_worker_are_released() {
    assertLog(
        List.of("held", "pending 1", "granted", "0"),
        scenario -> {
          scenario
              .resource(
                  "/sw.js",
                  "onmessage = e => navigator.locks.request('l', () => { console.log('held'); return new Promise(() => {}) })")
              .window(async("(await active()).active.postMessage('')"))
              .run();
          scenario
              .window(
                  async(
                      """
                      const granted = navigator.locks.request('l', () => log('granted'));
                      log(`pending ${(await navigator.locks.query()).pending.length}`);
                      await granted;
                      log(String((await navigator.locks.query()).held.length));
                      """))
              .run();
          return scenario.stopServiceWorkers();
        });
  }

  @Test
  void pending_fetch_of_a_stopped_worker_fails() {
    assertLog(
        List.of("asked", "TypeError", "asked", "answered"),
        scenario -> {
          scenario
              .resource(
                  "/sw.js",
                  """
                  onfetch = e => {
                    if (e.request.mode === 'navigate') return;
                    console.log('asked');
                    e.respondWith(new Promise(resolve => setTimeout(() => resolve(new Response('answered')), 1000)));
                  };
                  """)
              .window(async("await active()"))
              .run();
          String fetch =
              async("await fetch('/x').then(async r => log(await r.text()), e => log(e.name))");
          scenario.window(fetch).runFor(500);
          scenario.stopServiceWorkers().run();
          return scenario.window(fetch);
        });
  }

  @Test
  void worker_that_is_stopped_during_installation_is_not_installed() {
    assertLog(
        List.of("installing", "redundant", "undefined"),
        scenario -> {
          scenario
              .resource("/sw.js", "oninstall = e => e.waitUntil(new Promise(() => {}))")
              .window(
                  async(
                      """
                      const worker = (await sw.register('/sw.js')).installing;
                      log(worker.state);
                      await state(worker, 'redundant');
                      log(worker.state);
                      log(String(await sw.getRegistration()));
                      """))
              .run();
          return scenario.stopServiceWorkers();
        });
  }

  @Test
  void worker_that_is_stopped_while_it_activates_becomes_active() {
    assertLog(
        List.of("activating", "activated", "answered"),
        scenario -> {
          scenario
              .resource(
                  "/sw.js",
                  "onactivate = e => e.waitUntil(clients.claim().then(() => new Promise(() => {}))); onfetch = e => e.respondWith(new Response('answered'))")
              .window(
                  async(
                      """
                      const { installing: worker } = await sw.register('/sw.js');
                      await state(worker, 'activating');
                      log(worker.state);
                      await state(worker, 'activated');
                      log(worker.state);
                      log(await (await fetch('/x')).text());
                      """))
              .run();
          return scenario.stopServiceWorkers();
        });
  }

  @Test
  void each_fetch_completes_or_fails_whenever_the_worker_is_stopped() {
    // in whichever state the worker is stopped, each fetch is answered or fails
    for (int seed = 0; seed < TestSize.seeds(40); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario.resource("/sw.js", COUNTING).window(async("await active()")).run();
        scenario.window(
            async(
                """
                let answered = 0, failed = 0;
                await Promise.all(Array.from({ length: 10 }, () => fetch('/x').then(r => answered++, e => failed++)));
                log(`${answered + failed}`);
                """));
        for (int step = 0; step < 20 && scenario.log().size() < 2; step++) {
          scenario.stopServiceWorkers();
          scenario.runFor(1);
        }
        List<String> log = scenario.run();
        assertEquals("10", log.getLast(), "seed " + seed);
      }
    }
  }

  @Test
  void restarted_worker_uses_the_scripts_of_its_installation() {
    assertLog(
        List.of("one with lib one", "one with lib one"),
        scenario -> {
          scenario
              .resource("/lib.js", "self.lib = 'lib one'")
              .resource(
                  "/sw.js",
                  "importScripts('/lib.js'); onmessage = () => console.log('one with ' + lib)")
              .window(async("(await active()).active.postMessage('')"))
              .run();
          scenario.stopIdleServiceWorkers().run();
          return scenario
              .resource("/lib.js", "self.lib = 'lib two'")
              .resource("/sw.js", "onmessage = () => console.log('two')")
              .window(async("(await sw.ready).active.postMessage('')"));
        });
  }
}
