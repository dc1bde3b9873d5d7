package dev.weblocks.serviceworkers;

import static dev.weblocks.serviceworkers.Scripts.assertLog;
import static dev.weblocks.serviceworkers.Scripts.async;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life cycle of a service worker from its registration to its end. */
class LifecycleTest {

  @Test
  void worker_goes_through_all_its_states_in_order() {
    for (int seed = 0; seed < TestSize.seeds(10); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource(
                "/sw.js",
                """
                const log = text => console.log(`${text} ${serviceWorker.state}`);
                log('evaluated');
                oninstall = e => log(e.constructor.name);
                onactivate = e => log(e.constructor.name);
                """)
            .window(
                """
                (async () => {
                  const registration = await navigator.serviceWorker.register('/sw.js');
                  const worker = registration.installing;
                  const states = [worker.state];
                  worker.onstatechange = () => {
                    states.push(`${worker.state}:${['installing', 'waiting', 'active'].filter(s => registration[s] === worker)}`);
                    if (worker.state === 'activated') console.log(states.join(' '));
                  };
                  registration.onupdatefound = e => console.log(e.target === registration && 'updatefound');
                  console.log(registration.scope + ' ' + worker.scriptURL);
                })();
                """);
        assertEquals(
            List.of(
                "ExtendableEvent activating",
                "InstallEvent installing",
                "evaluated parsed",
                "https://one.test/ https://one.test/sw.js",
                "installing installed:waiting activating:active activated:active",
                "updatefound"),
            scenario.run().stream().sorted().toList(),
            "seed " + seed);
      }
    }
  }

  @Test
  void state_changes_wait_for_promises_of_wait_until() {
    assertLog(
        List.of("installing", "install is over", "activating", "activate is over", "activated"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    """
                    const wait = (e, text) => e.waitUntil(new Promise(resolve => setTimeout(() => { console.log(text); resolve(); }, 1000)));
                    oninstall = e => wait(e, 'install is over');
                    onactivate = e => wait(e, 'activate is over');
                    """)
                .window(
                    async(
                        """
                        const r = await sw.register('/sw.js');
                        const worker = r.installing;
                        log(worker.state);
                        worker.onstatechange = () => worker.state !== 'installed' && log(worker.state);
                        """)));
  }

  @Test
  void lifetime_can_be_extended_while_the_event_is_active() {
    assertLog(
        List.of(
            "in a microtask",
            "by a reaction",
            "later: InvalidStateError",
            "own event: InvalidStateError",
            "activated"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    """
                    oninstall = e => {
                      Promise.resolve().then(() => {
                        let settle;
                        const first = new Promise(resolve => settle = resolve);
                        e.waitUntil(first);
                        console.log('in a microtask');
                        first.then(() => { e.waitUntil(Promise.resolve()); console.log('by a reaction'); });
                        settle();
                      });
                      setTimeout(() => {
                        try { e.waitUntil(Promise.resolve()) } catch (error) { console.log('later: ' + error.name) }
                        try { new ExtendableEvent('x').waitUntil(Promise.resolve()) } catch (error) { console.log('own event: ' + error.name) }
                        dispatchEvent(new Event('done'));
                      }, 1000);
                    };
                    onactivate = e => e.waitUntil(new Promise(resolve => setTimeout(resolve, 2000)));
                    """)
                .window(async("const r = await active(); log(r.active.state);")));
  }

  @Test
  void exception_in_a_listener_does_not_prevent_installation() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/sw.js", "oninstall = onactivate = () => { throw new Error('on purpose') }")
          .window(async("log((await active()).active.state)"));
      assertEquals(2, scenario.runForErrors().size());
      assertEquals(List.of("activated"), scenario.log());
    }
  }

  @Test
  void updated_worker_waits_until_all_clients_are_closed() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/sw.js", "console.log('one')")
          .window(async("await active(); log('ready')"));
      assertEquals(List.of("one", "ready"), scenario.run());
      scenario.window(
          async(
              """
              const r = await sw.ready;
              log(sw.controller === r.active);
              log((await r.update()) === r && r.installing === null);
              """));
      assertEquals(List.of("one", "ready", "true", "true"), scenario.run());
      scenario
          .resource("/sw.js", "console.log('two')")
          .window(
              async(
                  """
                  const r = await sw.ready;
                  const before = r.active;
                  before.onstatechange = () => log(`before: ${before.state}`);
                  await r.update();
                  const next = r.installing;
                  await state(next, 'installed');
                  log(r.waiting === next, r.active === before, sw.controller === before);
                  """));
      scenario.run();
      assertEquals(
          List.of("two", "true true true"), scenario.log().subList(4, scenario.log().size()));
      // the first window is not controlled
      scenario.closeWindow(1).run();
      assertEquals(6, scenario.log().size());
      scenario.closeWindow(2).run();
      scenario.window(
          async(
              "const r = await sw.ready; log(r.active.state, r.waiting, sw.controller === r.active)"));
      scenario.run();
      assertEquals(
          List.of("activated null true"), scenario.log().subList(6, scenario.log().size()));
    }
  }

  @Test
  void skip_waiting_takes_over_the_clients_of_the_old_worker() {
    assertLog(
        List.of("ready", "one: redundant", "controllerchange true", "two is activated"),
        scenario -> {
          scenario.resource("/sw.js", "").window(async("await active(); log('ready')")).run();
          scenario.resource("/sw.js", "oninstall = e => e.waitUntil(skipWaiting())");
          return scenario.window(
              async(
                  """
                  const r = await sw.ready;
                  const one = r.active;
                  one.onstatechange = () => log(`one: ${one.state}`);
                  sw.oncontrollerchange = e => log(e.type, sw.controller === r.active);
                  await r.update();
                  const two = r.installing;
                  await state(two, 'activated');
                  log(`two is ${two.state}`);
                  """));
        });
  }

  @Test
  void update_checks_imported_scripts_too() {
    assertLog(
        List.of("lib 1", "same true", "lib 2", "updated"),
        scenario -> {
          scenario
              .resource("/lib.js", "console.log('lib 1')")
              .resource("/sw.js", "importScripts('/lib.js')")
              .window(
                  async(
                      "const r = await active(); await r.update(); log('same', r.installing === null)"))
              .run();
          return scenario
              .resource("/lib.js", "console.log('lib 2')")
              .window(
                  async(
                      "const r = await sw.ready; await r.update(); await state(r.installing, 'installed'); log('updated')"));
        });
  }

  @Test
  void failed_update_keeps_the_active_worker() {
    String url = Scenario.ORIGIN + "/dir/sw.js";
    String update =
        async(
            """
            const r = await sw.getRegistration('/dir/');
            await r.update().catch(e => log(e.name));
            log(r.active.state, r.waiting, r.installing);
            """);
    for (int seed = 0; seed < 4; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario.resource("/dir/sw.js", "").window(async("await active('/dir/sw.js')")).run();
        scenario.resource("/dir/sw.js", "not a script").window(update).runForErrors();
        scenario
            .response(url, new ResourceResponse(url, 404, "Not Found", List.of(), new byte[0]))
            .window(update)
            .runForErrors();
        scenario
            .response(url, ResourceResponse.of(url, "text/html", ""))
            .window(update)
            .runForErrors();
        String same = "activated null null";
        assertEquals(
            List.of("TypeError", same, "TypeError", same, "SecurityError", same),
            scenario.log(),
            "seed " + seed);
        assertEquals(1, scenario.errors().size(), "the syntax error");
      }
    }
  }

  @Test
  void claimed_clients_are_controlled_and_receive_a_controllerchange_event() {
    assertLog(
        List.of("before: null", "controllerchange true", "fetched by the worker"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    """
                    onactivate = e => e.waitUntil(clients.claim());
                    onfetch = e => e.respondWith(new Response('fetched by the worker'));
                    """)
                .window(
                    async(
                        """
                        log(`before: ${sw.controller}`);
                        const change = new Promise(resolve => sw.oncontrollerchange = resolve);
                        const r = await sw.register('/sw.js');
                        const worker = r.installing;
                        const e = await change;
                        log(e.type, sw.controller === worker);
                        log(await (await fetch('/anything')).text());
                        """)));
  }

  @Test
  void only_an_active_worker_may_claim() {
    assertLog(
        List.of("InvalidStateError"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    "oninstall = e => e.waitUntil(clients.claim().catch(e => console.log(e.name)))")
                .window(async("await active()")));
  }

  @Test
  void claim_does_not_affect_clients_of_other_scopes() {
    assertLog(
        List.of("null"),
        scenario ->
            scenario
                .resource("/dir/sw.js", "onactivate = e => e.waitUntil(clients.claim())")
                .window(async("await active('/dir/sw.js'); log(String(sw.controller))")));
  }

  @Test
  void unregistered_worker_serves_its_clients_until_they_close() {
    for (int seed = 0; seed < 4; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource(
                "/sw.js",
                "onfetch = e => { if (e.request.mode !== 'navigate') e.respondWith(new Response('still here')) }")
            .window(
                async(
                    "const { active: w } = await active(); w.onstatechange = () => log(w.state); log('ready')"))
            .run();
        scenario
            .window(
                async(
                    """
                    log(await (await sw.getRegistration()).unregister());
                    log(await (await fetch('/x')).text(), sw.controller.state);
                    """))
            .run();
        // it controls no new client
        scenario.window(async("log((await fetch('/x')).status, sw.controller)")).run();
        List<String> before = List.of("ready", "true", "still here activated", "404 null");
        assertEquals(before, scenario.log(), "seed " + seed);
        scenario.closeWindow(1).run();
        assertEquals("redundant", scenario.log().get(before.size()), "seed " + seed);
      }
    }
  }

  @Test
  void unregistration_without_clients_ends_the_worker_at_once() {
    assertLog(
        List.of("true", "redundant null", "false"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .window(
                    async(
                        """
                        const r = await active();
                        const worker = r.active;
                        log(await r.unregister());
                        await state(worker, 'redundant');
                        await new Promise(resolve => setTimeout(resolve));
                        log(worker.state, r.active);
                        log(await r.unregister());
                        """)));
  }
}
