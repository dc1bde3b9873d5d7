package dev.weblocks.serviceworkers;

import static dev.weblocks.serviceworkers.Scripts.assertLog;
import static dev.weblocks.serviceworkers.Scripts.async;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Service workers and their clients: discovery and messages. */
class ClientsTest {

  private static final String ECHO =
      """
      onmessage = e => e.source.postMessage([e.constructor.name, e.data, e.origin, e.source.constructor.name, e.source.type, e.source.frameType, new URL(e.source.url).pathname, e.ports.length]);
      """;

  @Test
  void messages_are_delivered_in_both_directions() {
    assertLog(
        List.of(
            "ExtendableMessageEvent,hello,https://one.test,WindowClient,window,top-level,/window-0.html,0",
            "true https://one.test true 0"),
        scenario ->
            scenario
                .resource("/sw.js", ECHO)
                .window(
                    async(
                        """
                        const r = await sw.register('/sw.js');
                        const worker = r.installing;
                        worker.postMessage('hello');
                        sw.onmessage = e => {
                          log(String(e.data));
                          log(e.source === worker, e.origin, e instanceof MessageEvent, e.ports.length);
                        };
                        """)));
  }

  @Test
  void dedicated_worker_is_a_client_of_type_worker() {
    assertLog(
        List.of(
            "ExtendableMessageEvent,from a worker,https://one.test,Client,worker,none,/worker.js,0"),
        scenario ->
            scenario
                .resource("/sw.js", ECHO)
                .resource(
                    "/worker.js",
                    """
                    navigator.serviceWorker.onmessage = e => console.log(String(e.data));
                    navigator.serviceWorker.ready.then(r => r.active.postMessage('from a worker'));
                    """)
                .window(async("await active(); new Worker('/worker.js')")));
  }

  @Test
  void ports_and_buffers_can_be_transferred_to_a_service_worker() {
    assertLog(
        List.of("0", "8 1 true", "through the port"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    """
                    onmessage = e => {
                      console.log(`${e.data.byteLength} ${e.ports.length} ${Object.isFrozen(e.ports)}`);
                      e.ports[0].postMessage('through the port');
                    };
                    """)
                .window(
                    async(
                        """
                        const { active: worker } = await active();
                        const { port1, port2 } = new MessageChannel();
                        const buffer = new ArrayBuffer(8);
                        port1.onmessage = e => log(e.data);
                        worker.postMessage(buffer, [buffer, port2]);
                        log(String(buffer.byteLength));
                        """)));
  }

  @Test
  void uncloneable_message_is_refused() {
    assertLog(
        List.of("DataCloneError"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .window(
                    async(
                        """
                        const { active: worker } = await active();
                        try { worker.postMessage(() => {}) } catch (e) { log(e.name) }
                        """)));
  }

  @Test
  void messages_wait_until_the_document_is_parsed_or_start_messages_is_called() {
    assertLog(
        List.of("loading", "complete", "got it early: loading", "loading"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    "onactivate = e => e.waitUntil(clients.claim()); onfetch = e => { if (e.request.url.endsWith('.js')) e.respondWith((async () => { (await clients.get(e.clientId)).postMessage(e.request.url); await new Promise(resolve => setTimeout(resolve, 1000)); return new Response('console.log(document.readyState)', { headers: { 'Content-Type': 'text/javascript' } }); })()) }")
                .resource(
                    "/late.html",
                    "<script>navigator.serviceWorker.addEventListener('message', () => console.log(document.readyState))</script><script src=/a.js></script>")
                .resource(
                    "/early.html",
                    "<script>navigator.serviceWorker.onmessage = () => console.log('got it early: ' + document.readyState)</script><script src=/b.js></script>")
                .window(async("await active()"))
                .runFor(10_000)
                .open("/late.html")
                .runFor(10_000)
                .open("/early.html")
                .runFor(500));
  }

  @Test
  void match_all_omits_a_page_that_is_kept_for_going_back() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/sw.js",
              """
              onmessage = async e => {
                const all = await clients.matchAll({ includeUncontrolled: true });
                console.log(e.data, all.map(c => new URL(c.url).pathname).join(' '));
                e.source.postMessage('');
              };
              """)
          .resource(
              "/next.html",
              """
              <script>
              navigator.serviceWorker.onmessage = () => history.back();
              onload = () => navigator.serviceWorker.controller.postMessage('next');
              </script>
              """)
          .window(
              async(
                  """
                  const worker = (await active()).active;
                  onpageshow = e => e.persisted && worker.postMessage('back');
                  setTimeout(() => { location = '/next.html'; });
                  """))
          .run();
      assertEquals(List.of("next /next.html", "back /window-0.html"), scenario.log());
    }
  }

  @Test
  void match_all_filters_clients_by_type_and_controller() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/sw.js",
              """
              onmessage = async e => {
                const show = async options => (await clients.matchAll(options)).map(c => `${c.type}:${new URL(c.url).pathname}`).join(' ');
                console.log('controlled windows: ' + await show());
                console.log('all windows: ' + await show({ includeUncontrolled: true }));
                console.log('controlled: ' + await show({ type: 'all' }));
                console.log('workers: ' + await show({ includeUncontrolled: true, type: 'worker' }));
                const [first] = await clients.matchAll();
                const again = await clients.get(first.id);
                console.log(again.id === first.id, again !== first, await clients.get('none'), Object.isFrozen(await clients.matchAll()));
                console.log(first.visibilityState, first.focused);
              };
              """)
          .resource("/worker.js", "")
          .window(async("await active(); new Worker('/worker.js')"))
          .run();
      scenario
          .window(async("await sw.ready; sw.controller.postMessage('')"))
          .windowAt("https://two.test", "")
          .run();
      assertEquals(
          List.of(
              "controlled windows: window:/window-1.html",
              "all windows: window:/window-0.html window:/window-1.html",
              "controlled: window:/window-1.html worker:/worker.js",
              "workers: worker:/worker.js",
              "true true undefined true",
              "visible false"),
          scenario.log());
      scenario.closeWindow(0);
      scenario.window(async("await sw.ready; sw.controller.postMessage('')")).run();
      assertEquals(
          List.of(
              "controlled windows: window:/window-1.html window:/window-3.html",
              "all windows: window:/window-1.html window:/window-3.html",
              "controlled: window:/window-1.html window:/window-3.html",
              "workers: "),
          scenario.log().subList(6, 10));
    }
  }

  @Test
  void ready_waits_for_an_active_worker_in_scope() {
    assertLog(
        List.of("true true"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .window(
                    async(
                        """
                        const { ready } = sw;
                        await active('/sw.js', { scope: '/elsewhere' });
                        const wanted = await active('/sw.js');
                        log((await ready) === wanted, ready === sw.ready);
                        """)));
  }

  @Test
  void service_worker_has_its_registration_and_service_worker_object() {
    assertLog(
        List.of(
            "true true true null",
            "true active",
            "https://one.test/sw.js https://one.test/ true true"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    """
                    console.log(registration === self.registration, serviceWorker.state === 'parsed', registration.installing === null, navigator.serviceWorker.controller);
                    onactivate = () => console.log(registration.active === serviceWorker, 'active');
                    onmessage = () => console.log(serviceWorker.scriptURL, registration.scope, isSecureContext, self instanceof ServiceWorkerGlobalScope);
                    """)
                .window(async("(await active()).active.postMessage('')")));
  }

  @Test
  void imported_scripts_are_cached_and_later_imports_fail() {
    assertLog(
        List.of("lib", "NetworkError", "lib", "active"),
        scenario ->
            scenario
                .resource("/lib.js", "console.log('lib')")
                .resource("/late.js", "console.log('late')")
                .resource(
                    "/sw.js",
                    """
                    importScripts('/lib.js');
                    onactivate = () => {
                      try { importScripts('/late.js') } catch (e) { console.log(e.name) }
                      importScripts('/lib.js');
                    };
                    """)
                .window(async("await active(); log('active')")));
  }

  @Test
  void different_storage_keys_or_user_agents_share_no_registrations() {
    try (Scenario one = new Scenario(1);
        Scenario other = new Scenario(1)) {
      one.resource("/sw.js", "")
          .resourceAt("https://two.test/sw.js", "")
          .window(async("await active(); log((await sw.getRegistrations()).length)"))
          .run();
      one.windowAt("https://two.test", async("log((await sw.getRegistrations()).length)")).run();
      other.window(async("log((await sw.getRegistrations()).length, sw.controller)"));
      assertEquals(List.of("1", "0"), one.log());
      assertEquals(List.of("0 null"), other.run());
    }
  }

  @Test
  void registration_outlives_the_windows() {
    assertLog(
        List.of("registered", "lives on"),
        scenario -> {
          scenario
              .resource(
                  "/sw.js",
                  "onmessage = e => e.waitUntil(new Promise(resolve => setTimeout(() => { console.log('lives on'); resolve(); }, 1000)))")
              .window(async("(await active()).active.postMessage(''); log('registered')"))
              .runFor(500);
          return scenario.closeWindow(0);
        });
  }
}
