package dev.weblocks.serviceworkers;

import static dev.weblocks.serviceworkers.Scripts.assertLog;
import static dev.weblocks.serviceworkers.Scripts.async;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fetches of clients that a service worker controls. */
class FetchEventTest {

  /** Makes a worker with this script control the next windows of a scenario. */
  private static Scenario controlledBy(Scenario scenario, String script) {
    scenario.resource("/sw.js", script).window(async("await active();")).run();
    return scenario;
  }

  /** Expects the log of a window that a worker controls. */
  private static void assertControlled(List<String> expected, String worker, String window) {
    assertLog(expected, scenario -> controlledBy(scenario, worker).window(async(window)));
  }

  @Test
  void client_id_of_a_fetch_equals_that_of_a_lock_query() {
    assertControlled(
        List.of("true 36", "https://one.test/sw.js"),
        """
        onfetch = e => {
          if (new URL(e.request.url).pathname === '/clientId') {
            e.respondWith(new Response(JSON.stringify({ clientId: e.clientId })));
          }
        };
        """,
        """
        const { clientId } = await (await fetch('/clientId')).json();
        await navigator.locks.request('lock', async () => {
          const { held } = await navigator.locks.query();
          log(held[0].clientId === clientId, clientId.length);
          log(sw.controller.scriptURL);
        });
        """);
  }

  @Test
  void fetch_event_of_a_navigation_has_the_resulting_client_id() {
    assertLog(
        List.of(
            "navigate document GET '' true https://one.test/page?x#y",
            "from the worker https://one.test/page?x#y true"),
        scenario ->
            controlledBy(
                    scenario,
                    """
                    let resulting;
                    onfetch = e => {
                      if (e.request.mode === 'navigate') {
                        resulting = e.resultingClientId;
                        console.log(e.request.mode, e.request.destination, e.request.method, `'${e.clientId}'`, resulting.length === 36, e.request.url);
                        e.respondWith(new Response(`<script>(async () => {
                          const { clientId, resulting } = await (await fetch('/id')).json();
                          console.log('from the worker', location.href, clientId === resulting);
                        })()</script>`, { headers: { 'content-type': 'text/html' } }));
                      } else {
                        e.respondWith(Response.json({ clientId: e.clientId, resulting }));
                      }
                    };
                    """)
                .open("/page?x#y"));
  }

  @Test
  void document_has_the_requested_url_even_if_its_response_has_another() {
    assertLog(
        List.of("https://one.test/wanted"),
        scenario ->
            controlledBy(
                    scenario,
                    "onfetch = e => { if (e.request.mode === 'navigate') e.respondWith(fetch('/found.html')) }")
                .resource("/found.html", "<script>console.log(location.href)</script>")
                .open("/wanted"));
  }

  @Test
  void scripts_and_workers_are_fetched_through_the_controller() {
    assertLog(
        List.of(
            "script /script.js",
            "page script",
            "worker /worker.js",
            "worker script",
            "script /imported.js",
            "imported script",
            " /data",
            "for the worker true true"),
        scenario ->
            controlledBy(
                    scenario,
                    """
                    const texts = {
                      '/script.js': "console.log('page script'); new Worker('/worker.js')",
                      '/worker.js': `console.log('worker script'); importScripts('/imported.js');
                        (async () => {
                          const [text, id] = (await (await fetch('/data')).text()).split('|');
                          const { held } = await navigator.locks.request('x', () => navigator.locks.query());
                          console.log(text, held[0].clientId === id, navigator.serviceWorker.controller !== null);
                        })();`,
                      '/imported.js': "console.log('imported script')",
                    };
                    onfetch = e => {
                      const { pathname } = new URL(e.request.url);
                      if (e.request.mode === 'navigate') return;
                      console.log(e.request.destination, pathname);
                      const headers = { 'Content-Type': 'text/javascript' };
                      e.respondWith(new Response(texts[pathname] ?? `for the worker|${e.clientId}`, { headers }));
                    };
                    """)
                .resource("/page.html", "<script src=/script.js></script>")
                .open("/page.html"));
  }

  @Test
  void worker_from_a_blob_has_the_controller_of_its_owner() {
    assertControlled(
        List.of("https://one.test/sw.js answered"),
        "onfetch = e => { if (e.request.mode !== 'navigate') e.respondWith(new Response('answered')) }",
        """
        const text = `(async () => console.log(navigator.serviceWorker.controller?.scriptURL, await (await fetch('https://one.test/x')).text()))()`;
        new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
        """);
  }

  @Test
  void unhandled_fetch_goes_to_the_network() {
    assertControlled(
        List.of("404", "404 handled"),
        """
        let state = '';
        onfetch = e => {
          e.handled.then(() => state = 'handled');
          if (e.request.url.endsWith('/state')) e.respondWith(fetch(e.request).then(r => new Response(`${r.status} ${state}`)));
        };
        """,
        "log((await fetch('/missing')).status); log(await (await fetch('/state')).text());");
  }

  @Test
  void fetch_listener_that_provides_no_valid_response_causes_a_network_error() {
    String answers =
        """
        const answers = {
          rejected: e => e.respondWith(Promise.reject('no')),
          nothing: e => e.respondWith(undefined),
          other: e => e.respondWith({ status: 200 }),
          error: e => e.respondWith(Response.error()),
          used: e => e.respondWith((async () => { const r = new Response('x'); await r.text(); return r; })()),
          prevented: e => e.preventDefault(),
          returned: e => false,
        };
        onfetch = e => answers[new URL(e.request.url).pathname.slice(1)]?.(e);
        """;
    assertControlled(
        List.of(
            "rejected TypeError",
            "nothing TypeError",
            "other TypeError",
            "error TypeError",
            "used TypeError",
            "prevented TypeError",
            "returned TypeError"),
        answers,
        """
        for (const path of ['rejected', 'nothing', 'other', 'error', 'used', 'prevented', 'returned']) {
          await fetch(path).then(r => log(path, r.status), e => log(path, e.name));
        }
        """);
  }

  @Test
  void listener_that_throws_leaves_the_request_to_the_network() {
    try (Scenario scenario = new Scenario(1)) {
      controlledBy(
              scenario,
              "onfetch = e => { if (e.request.mode !== 'navigate') throw new Error('on purpose') }")
          .window(async("log((await fetch('/missing')).status)"));
      assertEquals(1, scenario.runForErrors().size());
      assertEquals(List.of("404"), scenario.log());
    }
  }

  @Test
  void respond_with_is_allowed_once_and_only_during_dispatch() {
    assertControlled(
        List.of("InvalidStateError", "InvalidStateError", "late: InvalidStateError", "first"),
        """
        onfetch = e => {
          if (e.request.mode === 'navigate') return;
          e.respondWith(new Promise(resolve => setTimeout(() => {
            try { e.respondWith(new Response('late')) } catch (error) { console.log(`late: ${error.name}`) }
            resolve(new Response('first'));
          }, 100)));
          try { e.respondWith(new Response('second')) } catch (error) { console.log(error.name) }
          const own = new FetchEvent('fetch', { request: e.request });
          try { own.respondWith(new Response('third')) } catch (error) { console.log(error.name) }
        };
        addEventListener('fetch', e => { if (e.request.mode !== 'navigate') console.log('stopped') });
        """,
        "log(await (await fetch('/x')).text())");
  }

  @Test
  void all_parts_of_request_and_response_are_passed_on() {
    assertControlled(
        List.of("POST a:b body", "201 Made c:d", "basic false https://one.test/x"),
        """
        onfetch = e => {
          if (e.request.mode === 'navigate') return;
          e.respondWith((async () => new Response(`${e.request.method} a:${e.request.headers.get('a')} ${await e.request.text()}`, { status: 201, statusText: 'Made', headers: { c: 'd' } }))());
        };
        """,
        """
        const r = await fetch('/x', { method: 'POST', headers: { a: 'b' }, body: 'body' });
        log(await r.clone().text());
        log(r.status, r.statusText, `c:${r.headers.get('c')}`);
        log(r.type, r.redirected, r.url);
        """);
  }

  @Test
  void worker_without_fetch_listener_is_not_started_for_fetches() {
    assertControlled(
        List.of("404"),
        "console.info = 0; self.onfetch = null;",
        "log((await fetch('/x')).status)");
  }

  @Test
  void fetch_of_a_service_worker_goes_to_the_network() {
    assertControlled(
        List.of("404"),
        "onfetch = e => { if (e.request.mode !== 'navigate') e.respondWith(fetch('/y')) }",
        "log((await fetch('/x')).status)");
  }

  @Test
  void fetch_waits_until_the_worker_is_activated() {
    assertLog(
        List.of("activate begins", "activate ends", "navigate", "body"),
        scenario ->
            scenario
                .resource(
                    "/sw.js",
                    """
                    onactivate = e => e.waitUntil((async () => {
                      console.log('activate begins');
                      await clients.claim();
                      await new Promise(resolve => setTimeout(resolve, 1000));
                      console.log('activate ends');
                    })());
                    onfetch = e => { console.log('navigate'); e.respondWith(new Response('body')) };
                    """)
                .window(
                    async(
                        """
                        sw.register('/sw.js');
                        await controlled();
                        log(await (await fetch('/x')).text());
                        """)));
  }

  @Test
  void aborted_fetch_aborts_the_signal_in_the_worker() {
    assertControlled(
        List.of("AbortError", "aborted AbortError"),
        """
        onfetch = e => {
          if (e.request.mode === 'navigate') return;
          const { signal } = e.request;
          e.respondWith(new Promise(() => {}));
          signal.addEventListener('abort', () => console.log('aborted', signal.reason.name));
        };
        """,
        """
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 1000);
        await fetch('/x', { signal: controller.signal }).catch(e => log(e.name));
        """);
  }
}
