package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The window of an initial {@code about:blank} document, which the next document may get. */
class WindowReuseTest {

  private static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario
          .resource("/next", "<p id=p>next</p><script>self.ran = true</script>")
          .resource("/third", "<script>self.third = true</script>")
          .resourceAt("https://two.test/other", "<script>opener?.postMessage('', '*')</script>")
          .window(
              """
              const popup = url => open(url);
              const frame = url => {
                const made = document.createElement('iframe');
                if (url) made.src = url;
                document.documentElement.append(made);
                return made.contentWindow;
              };
              const loaded = w => new Promise(r => w.addEventListener('load', r, { once: true }));
              (async () => { %s })();
              """
                  .formatted(script))
          .run();
    }
  }

  @Test
  void listeners_and_expandos_of_a_popup_survive_its_first_load() {
    assertEquals(
        List.of("load at next true", "1 true https://one.test/next https://one.test/next"),
        logOf(
            """
            const w = popup('/next');
            w.expando = 1;
            w.addEventListener('load', e => {
              console.log('load at', e.target.querySelector('p').textContent, e.target === w.document);
              console.log(w.expando, w.ran, w.location.href, w.document.URL);
            });
            """));
  }

  @Test
  void listeners_and_expandos_of_a_frame_survive_its_first_load() {
    assertEquals(
        List.of("load", "1 true https://one.test/next", "1 true"),
        logOf(
            """
            const w = frame('/next');
            w.expando = 1;
            w.onload = () => console.log('load');
            await loaded(w);
            await 0;
            console.log(w.expando, w.ran, w.document.URL);
            const lazy = frame();
            lazy.expando = 1;
            lazy.location = '/next';
            await loaded(lazy);
            console.log(lazy.expando, lazy.ran);
            """));
  }

  @Test
  void document_is_new_and_the_initial_one_loses_its_window() {
    assertEquals(
        List.of("false null about:blank", "next [object HTMLParagraphElement] undefined 0"),
        logOf(
            """
            const w = popup('/next');
            const initial = w.document;
            initial.body.innerHTML = '<b id=old></b><iframe></iframe>';
            await loaded(w);
            console.log(w.document === initial, initial.defaultView, initial.URL);
            console.log(w.p.textContent, String(w.p), typeof w.old, w.length);
            """));
  }

  @Test
  void frames_of_the_initial_document_end() {
    assertEquals(
        List.of("free true"),
        logOf(
            """
            const w = popup('/next');
            const inner = w.document.createElement('iframe');
            w.document.body.append(inner);
            const there = inner.contentWindow;
            there.navigator.locks.request('l', () => new Promise(() => {}));
            await loaded(w);
            await navigator.locks.request('l', () => console.log('free', there.closed));
            """));
  }

  @Test
  void initial_document_unloads_without_having_been_shown() {
    assertEquals(
        List.of("unload about:blank", "pageshow https://one.test/next"),
        logOf(
            """
            const w = popup('/next');
            for (const type of ['pagehide', 'unload', 'pageshow'])
              w.addEventListener(type, e => console.log(type, w.document.URL));
            """));
  }

  @Test
  void locks_timers_and_workers_of_the_initial_window_live_on() {
    assertEquals(
        List.of("true pending", "timer", "worker", "true", "got it true"),
        logOf(
            """
            const w = frame('/next');
            let release;
            w.navigator.locks.request('held', () => new w.Promise(r => release = r));
            navigator.locks.request('wanted', () => new Promise(r => self.give = r));
            w.navigator.locks.request('wanted', l => console.log('got it', l instanceof w.Lock));
            w.setTimeout(() => console.log('timer'), 500);
            const worker = new w.Worker(URL.createObjectURL(new Blob([
              'setTimeout(() => postMessage("worker"), 1000)'])));
            worker.onmessage = e => console.log(e.data);
            const load = loaded(w);
            const before = await w.navigator.locks.query();
            await load;
            const after = await w.navigator.locks.query();
            const id = from => from.held.find(each => each.name === 'held').clientId;
            console.log(id(before) === id(after), after.pending[0].clientId === id(after) && 'pending');
            await new Promise(r => setTimeout(r, 2000));
            await w.navigator.locks.request('new', async () => {
              const now = await navigator.locks.query();
              console.log(now.held.find(each => each.name === 'new').clientId === id(before));
            });
            give();
            """));
  }

  @Test
  void storage_and_channels_of_the_initial_window_live_on() {
    assertEquals(
        List.of("a 1", "port 2", "channel 3"),
        logOf(
            """
            sessionStorage.a = 'a';
            const w = popup('/next');
            const storage = w.sessionStorage;
            storage.b = 1;
            const { port1, port2 } = new w.MessageChannel();
            port1.onmessage = e => console.log('port', e.data);
            const channel = new w.BroadcastChannel('c');
            channel.onmessage = e => console.log('channel', e.data);
            await loaded(w);
            console.log(w.sessionStorage.a, w.sessionStorage.b);
            port2.postMessage(2);
            new BroadcastChannel('c').postMessage(3);
            """));
  }

  @Test
  void srcdoc_and_javascript_documents_reuse_the_window() {
    assertEquals(
        List.of("1 about:srcdoc", "2 about:blank made"),
        logOf(
            """
            const made = document.createElement('iframe');
            made.srcdoc = '<p>';
            document.documentElement.append(made);
            const w = made.contentWindow;
            w.expando = 1;
            await loaded(w);
            console.log(w.expando, w.document.URL);
            const other = frame();
            other.expando = 2;
            other.location = 'javascript:"made"';
            await loaded(other);
            console.log(other.expando, other.document.URL, other.document.body.textContent);
            """));
  }

  @Test
  void base_url_and_referrer_are_those_of_the_new_document() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/deep/next", "<script>fetch('data')</script>")
          .resource("/deep/data", "")
          .window(
              "const f = document.createElement('iframe'); f.src = '/deep/next';"
                  + " document.documentElement.append(f); f.contentWindow.expando = 1")
          .run();
      assertEquals(
          List.of("https://one.test/deep/data from https://one.test/deep/next"),
          scenario.requests().stream()
              .filter(each -> each.url().endsWith("/data"))
              .map(each ->
                  each.url()
                      + " from "
                      + each.headers().stream()
                          .filter(header -> header.getKey().equals("Referer"))
                          .map(java.util.Map.Entry::getValue)
                          .findFirst()
                          .orElse(null))
              .toList());
    }
  }

  @Test
  void document_of_another_origin_gets_another_window() {
    assertEquals(
        List.of("free", "free too"),
        logOf(
            """
            const w = popup('https://two.test/other');
            w.addEventListener('load', () => console.log('never'));
            w.navigator.locks.request('l', () => new Promise(() => {}));
            await new Promise(r => onmessage = r);
            await navigator.locks.request('l', () => console.log('free'));
            const f = frame('https://two.test/other');
            f.navigator.locks.request('l', () => new Promise(() => {}));
            await navigator.locks.request('l', () => console.log('free too'));
            """));
  }

  @Test
  void first_document_replaces_the_history_entry_of_the_initial_one() {
    assertEquals(
        List.of("1 /next"),
        logOf(
            """
            const w = open('', 'named');
            open('/next', 'named');
            await loaded(w);
            console.log(w.history.length, w.location.pathname);
            """));
  }

  @Test
  void service_worker_finds_the_reused_window_by_the_resulting_client_id() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/page", "<script>parent.postMessage('loaded', '*')</script>")
          .resource(
              "/sw.js",
              """
              let id, url;
              onfetch = e => { id = e.resultingClientId; e.respondWith(fetch(e.request)); };
              onmessage = async e => {
                const client = await clients.get(id);
                e.source.postMessage([client.url, (await clients.matchAll()).length]);
              };
              """)
          .window(
              """
              (async () => {
                await navigator.serviceWorker.register('/sw.js', { scope: '/page' });
                const { active, installing, waiting } =
                    await navigator.serviceWorker.getRegistration('/page');
                const worker = active ?? waiting ?? installing;
                if (worker.state !== 'activated') {
                  await new Promise(r => worker.onstatechange = () => worker.state === 'activated' && r());
                }
                const frame = document.createElement('iframe');
                frame.src = '/page';
                document.documentElement.append(frame);
                const w = frame.contentWindow;
                console.log(w.navigator.serviceWorker.controller);
                w.navigator.serviceWorker.onmessage = e => console.log(String(e.data));
                w.navigator.serviceWorker.oncontrollerchange = () => console.log('never');
                w.expando = 1;
                await new Promise(r => onmessage = r);
                console.log(w.expando, w.navigator.serviceWorker.controller.state);
                w.navigator.serviceWorker.controller.postMessage('');
              })();
              """);
      assertEquals(List.of("null", "1 activated", "https://one.test/page,1"), scenario.run());
    }
  }

  @Test
  void second_navigation_gets_another_window() {
    assertEquals(
        List.of("1 true", "undefined undefined true"),
        logOf(
            """
            const w = popup('/next');
            w.expando = 1;
            await loaded(w);
            console.log(w.expando, w.ran);
            w.onload = () => console.log('never');
            w.location = '/third';
            await new Promise(r => setTimeout(r, 1000));
            console.log(w.expando, w.ran, w.third);
            """));
  }
}
