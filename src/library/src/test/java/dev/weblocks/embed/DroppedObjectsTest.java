package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Memory that objects leave in a window after script has dropped them. The table {@code
 * target/dropped.txt} has the bytes that each leaves after garbage collections.
 */
@Tag("alone")
@Tag("full")
class DroppedObjectsTest {

  /** The bytes that may be left of each: less than the smallest Java object of an interface. */
  private static final double MAX_BYTES = 64;

  /** The bytes of noise in a measurement. */
  private static final double NOISE = 60_000;

  /**
   * A script that makes an object and drops it.
   *
   * @param count how many times it runs between two measurements
   */
  private record Row(String name, int count, String script) {}

  private static Row row(String name, String script) {
    return new Row(name, 1_000, script);
  }

  private static Row rare(String name, String script) {
    return new Row(name, 200, script);
  }

  /** The state of each window: what lives, while the scripts drop what they make. */
  private static final String LIVING =
      """
      const living = new AbortController(), target = new EventTarget(), nothing = () => {};
      const channel = new MessageChannel(), broadcast = new BroadcastChannel('a');
      const blob = new Blob(['a']), hung = new Promise(nothing);
      channel.port2.onmessage = broadcast.onmessage = nothing;
      navigator.locks.request('held', () => hung);
      onunhandledrejection = (e) => e.preventDefault();
      """;

  private static final List<Row> ROWS =
      List.of(
          // signals
          row("controller", "new AbortController()"),
          row("controller, listener", "new AbortController().signal.onabort = nothing"),
          row("controller, aborted", "new AbortController().abort()"),
          row("abort()", "AbortSignal.abort()"),
          row("timeout(), no listener", "AbortSignal.timeout(1)"),
          row("timeout(), listener", "AbortSignal.timeout(1).onabort = nothing"),
          row(
              "any(), of a living signal and an own one",
              "AbortSignal.any([living.signal, new AbortController().signal])"),
          row(
              "any(), of a living signal and an own one, with a removed listener",
              "const s = AbortSignal.any([living.signal, new AbortController().signal]);"
                  + " s.onabort = nothing; s.onabort = null"),
          row(
              "any(), of a living signal and an aborted one",
              "const own = new AbortController(); AbortSignal.any([living.signal, own.signal]);"
                  + " own.abort()"),
          row(
              "any(), of a living signal and an aborted one, with a listener",
              "const own = new AbortController();"
                  + " AbortSignal.any([living.signal, own.signal]).onabort = nothing; own.abort()"),
          row(
              "any(), of a living signal and a timeout, with a listener",
              "AbortSignal.any([living.signal, AbortSignal.timeout(1)]).onabort = nothing"),
          row(
              "any(), of an any(), with a listener, aborted",
              "const own = new AbortController();"
                  + " AbortSignal.any([AbortSignal.any([living.signal, own.signal]), living.signal])"
                  + ".onabort = nothing; own.abort()"),
          new Row(
              "any(), of 20 own signals and a living any(), with a listener, aborted",
              500,
              "const own = Array.from({length: 20}, () => new AbortController());"
                  + " AbortSignal.any([AbortSignal.any([living.signal]),"
                  + " ...own.map(c => c.signal)]).onabort = nothing; own[7].abort()"),
          // requests for locks
          row("request, granted", "navigator.locks.request('free' + i, nothing)"),
          row(
              "request, granted, shared",
              "navigator.locks.request('s', {mode: 'shared'}, nothing)"),
          row("request, missed", "navigator.locks.request('held', {ifAvailable: true}, nothing)"),
          row(
              "request, stolen",
              "navigator.locks.request('stolen', {steal: true}, () => new Promise(nothing)).catch(nothing)"),
          row(
              "request, granted, own signal",
              "navigator.locks.request('a', {signal: new AbortController().signal}, nothing)"),
          row(
              "request, granted, living signal",
              "navigator.locks.request('a', {signal: living.signal}, nothing)"),
          row(
              "request, granted, any()",
              "navigator.locks.request('a', {signal:"
                  + " AbortSignal.any([living.signal, AbortSignal.timeout(1)])}, nothing).catch(nothing)"),
          row(
              "request, aborted",
              "const own = new AbortController(); navigator.locks.request('held',"
                  + " {signal: own.signal}, nothing).catch(nothing); own.abort()"),
          row(
              "request, aborted later",
              "const own = new AbortController(); navigator.locks.request('held',"
                  + " {signal: own.signal}, nothing).catch(nothing);"
                  + " setTimeout(() => own.abort(), 5)"),
          row(
              "request, aborted by any()",
              "const own = new AbortController(); navigator.locks.request('held', {signal:"
                  + " AbortSignal.any([living.signal, own.signal])}, nothing).catch(nothing);"
                  + " own.abort()"),
          row(
              "request, timed out by any()",
              "navigator.locks.request('held', {signal: AbortSignal.any([living.signal,"
                  + " AbortSignal.timeout(1)])}, nothing).catch(nothing)"),
          row("request, refused", "navigator.locks.request('-', nothing).catch(nothing)"),
          row("request, callback throws", "navigator.locks.request('a', () => x).catch(nothing)"),
          row("query()", "navigator.locks.query()"),
          rare(
              "bucket with a lock, deleted",
              "navigator.storageBuckets.open('b' + i).then(b => b.locks.request('a', nothing))"
                  + ".then(() => navigator.storageBuckets.delete('b' + i))"),
          // timers and tasks
          row("timeout, fired", "setTimeout(nothing, i % 5)"),
          row("timeout, cleared", "clearTimeout(setTimeout(nothing, 1e6))"),
          row("interval, cleared", "const t = setInterval(() => clearInterval(t), 1)"),
          row("animation frame, cancelled", "cancelAnimationFrame(requestAnimationFrame(nothing))"),
          rare("animation frame, run", "requestAnimationFrame(nothing)"),
          row("microtask", "queueMicrotask(nothing)"),
          row("rejection, not handled", "Promise.reject(i)"),
          row(
              "rejection, handled later",
              "const p = Promise.reject(i); setTimeout(() => p.catch(nothing))"),
          // messages
          row("channel, dropped", "new MessageChannel()"),
          row("channel, closed", "new MessageChannel().port1.close()"),
          row(
              "channel, closed, with a listener",
              "const c = new MessageChannel(); c.port2.onmessage = nothing; c.port1.close()"),
          row(
              "channel, closed by its listener",
              "const c = new MessageChannel(); c.port2.onmessage = () => c.port2.close();"
                  + " c.port1.postMessage(i)"),
          row("message to a living port", "channel.port1.postMessage({i})"),
          row(
              "port to a living port, closed there",
              "const c = new MessageChannel(); channel.port1.postMessage(0, [c.port1]);"
                  + " c.port2.close()"),
          row("message to the window", "postMessage(i)"),
          row("broadcast channel, dropped", "new BroadcastChannel('b' + i)"),
          row("broadcast channel, closed", "new BroadcastChannel('b' + i).close()"),
          row(
              "broadcast channel, closed, with a listener",
              "const c = new BroadcastChannel('b'); c.onmessage = nothing; c.close()"),
          row("structuredClone()", "structuredClone({i, m: new Map([[i, [blob]]])})"),
          // events
          row("event target", "new EventTarget().addEventListener('a', nothing)"),
          row("event", "target.dispatchEvent(new CustomEvent('a', {detail: [i]}))"),
          row(
              "listener, removed",
              "const f = () => i; target.addEventListener('a', f); target.removeEventListener('a', f)"),
          row(
              "listener, removed by its signal",
              "const own = new AbortController();"
                  + " target.addEventListener('a' + i, () => i, {signal: own.signal}); own.abort()"),
          row(
              "listener of a dropped target, living signal, removed",
              "const f = () => i, t = new EventTarget();"
                  + " t.addEventListener('a', f, {signal: living.signal});"
                  + " t.removeEventListener('a', f)"),
          row(
              "listener, once",
              "target.addEventListener('o', () => i, {once: true}); target.dispatchEvent(new Event('o'))"),
          // data
          row("blob", "new Blob(['a' + i])"),
          row("blob, read", "new Blob(['a' + i]).text()"),
          row("blob, read as a file", "new FileReader().readAsText(new File(['a' + i], 'b'))"),
          row("blob URL, revoked", "URL.revokeObjectURL(URL.createObjectURL(new Blob(['a' + i])))"),
          row(
              "blob URL, fetched and revoked",
              "const u = URL.createObjectURL(new Blob(['a' + i]));"
                  + " fetch(u).then(r => r.text()).then(() => URL.revokeObjectURL(u))"),
          row("URL", "new URL('https://a.test/?a=' + i).searchParams.append('b', i)"),
          row("headers, form data", "new Headers({a: i}); new FormData().append('a', 'b' + i)"),
          row("decoder", "new TextDecoder().decode(new TextEncoder().encode('a' + i))"),
          row("exception", "new DOMException('a' + i, 'AbortError')"),
          row(
              "storage item, removed",
              "localStorage.setItem('k' + i, i); localStorage.removeItem('k' + i)"),
          // fetches
          row("request and response", "new Request('/' + i); new Response('a' + i)"),
          rare("fetch, read", "fetch('/' + i).then(r => r.text())"),
          rare("fetch, not read", "fetch('/' + i)"),
          rare("fetch, failed", "fetch('/absent' + i).catch(nothing)"),
          rare(
              "fetch, living signal",
              "fetch('/' + i, {signal: living.signal}).then(r => r.text())"),
          rare(
              "fetch, aborted",
              "const own = new AbortController(); fetch('/hang' + i, {signal: own.signal})"
                  + ".catch(nothing); own.abort()"),
          rare(
              "fetch, timed out by any()",
              "fetch('/hang' + i, {signal: AbortSignal.any([living.signal, AbortSignal.timeout(1)])})"
                  + ".catch(nothing)"),
          rare("XMLHttpRequest, dropped", "new XMLHttpRequest().open('GET', '/' + i)"),
          rare(
              "XMLHttpRequest, done",
              "const r = new XMLHttpRequest(); r.onload = nothing; r.open('GET', '/' + i); r.send()"),
          rare(
              "XMLHttpRequest, aborted",
              "const r = new XMLHttpRequest(); r.open('GET', '/hang' + i); r.send(); r.abort()"),
          rare("import(), again", "import('/module.js')"),
          // documents
          row("element", "document.createElement('p').onclick = nothing"),
          row(
              "element, removed",
              "const e = document.createElement('p'); e.id = 'i' + i;"
                  + " document.body.append(e); document.getElementById('i' + i).remove()"),
          row("elements, replaced", "document.body.innerHTML = '<p id=a><b>' + i"),
          row("live list", "document.getElementsByTagName('p').length"),
          rare(
              "script element, run and removed",
              "const e = document.createElement('script'); e.text = 'var same = 1';"
                  + " document.body.append(e); e.remove()"),
          rare(
              "handler attribute",
              "const e = document.createElement('p'); e.setAttribute('onclick', 'nothing()');"
                  + " document.body.append(e); e.click(); e.remove()"),
          rare("history entry, replaced", "history.replaceState({i}, '', '#' + i)"),
          // agents and realms
          new Row(
              "frame, removed",
              30,
              "const f = document.createElement('iframe'); document.body.append(f); f.remove()"),
          new Row(
              "frame with a page, removed after its load",
              30,
              "const f = document.createElement('iframe'); f.src = '/frame'; f.onload = () => f.remove();"
                  + " document.body.append(f)"),
          new Row(
              "frame of another origin, removed after its load",
              30,
              "const f = document.createElement('iframe'); f.src = 'https://two.test/';"
                  + " f.onload = () => f.remove(); document.body.append(f)"),
          new Row("popup, closed", 30, "const w = open('/'); w.onload = () => w.close()"),
          new Row(
              "worker, terminated",
              30,
              "const w = new Worker('/worker.js'); w.onmessage = () => w.terminate()"),
          new Row("worker, terminated at once", 30, "new Worker('/worker.js').terminate()"),
          new Row("worker that closes itself", 30, "new Worker('/closing.js')"),
          new Row(
              "shared worker that closes itself", 30, "new SharedWorker('/closing.js', 'n' + i)"),
          new Row("worker without a script", 30, "new Worker('/absent').onerror = nothing"));

  private static CompletableFuture<ResourceResponse> load(String url) {
    String path = url.replaceFirst("https://[a-z]+\\.test", "");
    if (path.startsWith("/hang")) {
      return new CompletableFuture<>();
    }
    if (path.startsWith("/absent")) {
      return CompletableFuture.failedFuture(new IOException("absent"));
    }
    String script =
        switch (path) {
          case "/worker.js" -> "navigator.locks.request('w', () => {}).then(() => postMessage(1))";
          case "/closing.js" -> "close()";
          case "/module.js" -> "export default 1";
          default -> null;
        };
    return CompletableFuture.completedFuture(
        script == null
            ? ResourceResponse.of(url, "text/html", "<body></body>")
            : ResourceResponse.of(url, "text/javascript", script));
  }

  /** Returns the used heap after garbage collections. */
  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      try (Context other = Context.create("js")) { // lets the engine drop sources
        other.eval("js", "1 + " + i);
      }
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  /** Returns the bytes that each execution of a script leaves. */
  private static double bytes(Row row) {
    List<String> errors = new ArrayList<>();
    try (DeterministicDriver driver =
            DeterministicDriver.newBuilder().collectsGarbage(true).build();
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request -> load(request.url()))
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      Window window = userAgent.open("https://one.test/");
      driver.runUntilIdle(1_000_000);
      CompletableFuture<EvaluatedValue> ready =
          window.evaluate(
              LIVING + "function run(n) { for (let i = 0; i < n; i++) {" + row.script + "; } }");
      driver.runUntilIdle(1_000_000);
      ready.join();
      run(window, driver, row); // initializes classes, fills caches
      run(window, driver, row);
      long before = heap();
      run(window, driver, row);
      run(window, driver, row);
      double left = heap() - before;
      assertEquals(List.of(), errors, row.name);
      return left / (2 * row.count);
    }
  }

  private static void run(Window window, DeterministicDriver driver, Row row) {
    CompletableFuture<EvaluatedValue> ran = window.evaluate("run(" + row.count + ")");
    driver.runUntilIdle(10_000_000);
    ran.join();
  }

  @Test
  void what_script_drops_leaves_no_memory_in_its_window() throws IOException {
    StringBuilder table = new StringBuilder();
    List<String> kept = new ArrayList<>();
    for (Row row : ROWS) {
      double bytes = bytes(row);
      String line = String.format(Locale.ROOT, "%-75s %10.0f bytes%n", row.name, bytes);
      table.append(line);
      if (bytes > MAX_BYTES + NOISE / (2 * row.count)) {
        kept.add(line);
      }
    }
    Path file = Path.of("target/dropped.txt");
    Files.createDirectories(file.getParent());
    Files.writeString(file, table);
    assertEquals(List.of(), kept, "memory of these is not collected");
  }
}
