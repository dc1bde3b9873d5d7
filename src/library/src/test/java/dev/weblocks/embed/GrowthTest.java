package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Processor time and allocated memory of what script can chain or fan out, for doubled sizes. The
 * table {@code target/growth.txt} has both, and how they grow from size to size: by 2 if linear, by
 * 4 if quadratic. Allocation repeats exactly enough to be asserted; time is only shown.
 */
@Tag("full")
class GrowthTest {

  private static final int[] TIMES = {1, 2, 4, 8};

  /** The limit for the growth of memory from the smallest size to eight times of it. */
  private static final double MAX_GROWTH = 16;

  /**
   * A script.
   *
   * @param reason why its cost grows faster than n log n; empty for the others
   * @param size the smallest value of {@code n}
   */
  private record Row(String reason, String name, int size, String script) {}

  private record Cost(double millis, double megabytes) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "",
              "AbortSignal.any: chain, then abort",
              1_000,
              "const c = new AbortController(); let s = c.signal;"
                  + "for (let i = 0; i < n; i++) s = AbortSignal.any([s, new AbortController().signal]);"
                  + "s.onabort = () => {}; c.abort();"),
          new Row(
              "",
              "AbortSignal.any: all of one source, then abort",
              1_000,
              "const c = new AbortController();"
                  + "for (let i = 0; i < n; i++) AbortSignal.any([c.signal]).onabort = () => {}; c.abort();"),
          new Row(
              "",
              "AbortSignal.any: one of many sources, with many listeners",
              1_000,
              "const s = AbortSignal.any(Array.from({length: n}, () => new AbortController().signal));"
                  + "for (let i = 0; i < n; i++) s.addEventListener('abort', () => {});"),
          new Row(
              "",
              "EventTarget: listeners of one type, one event",
              1_000,
              "const t = new EventTarget(); for (let i = 0; i < n; i++) t.addEventListener('a', () => {});"
                  + "t.dispatchEvent(new Event('a'));"),
          new Row(
              "",
              "EventTarget: listeners with once, one event",
              1_000,
              "const t = new EventTarget();"
                  + "for (let i = 0; i < n; i++) t.addEventListener('a', () => {}, {once: true});"
                  + "t.dispatchEvent(new Event('a'));"),
          new Row(
              "",
              "EventTarget: listeners of as many types, one event each",
              1_000,
              "const t = new EventTarget(); for (let i = 0; i < n; i++) t.addEventListener('a' + i, () => {});"
                  + "for (let i = 0; i < n; i++) t.dispatchEvent(new Event('a' + i));"),
          new Row(
              "",
              "EventTarget: listeners removed one by one",
              1_000,
              "const t = new EventTarget(), f = Array.from({length: n}, () => () => {});"
                  + "for (const each of f) t.addEventListener('a', each);"
                  + "for (const each of f) t.removeEventListener('a', each);"),
          new Row(
              "",
              "EventTarget: listeners removed by one signal",
              1_000,
              "const t = new EventTarget(), c = new AbortController();"
                  + "for (let i = 0; i < n; i++) t.addEventListener('a', () => {}, {signal: c.signal}); c.abort();"),
          new Row(
              "",
              "BroadcastChannel: one name, closed one by one",
              1_000,
              "const all = Array.from({length: n}, () => new BroadcastChannel('a'));"
                  + "for (const each of all) each.close();"),
          new Row(
              "",
              "BroadcastChannel: as many names, closed one by one",
              1_000,
              "const all = Array.from({length: n}, (_, i) => new BroadcastChannel('a' + i));"
                  + "for (const each of all) each.close();"),
          new Row(
              "",
              "BroadcastChannel: one message to all",
              1_000,
              "const all = Array.from({length: n}, () => new BroadcastChannel('a'));"
                  + "for (const each of all) each.onmessage = () => each.close(); new BroadcastChannel('a').postMessage(1);"),
          new Row(
              "",
              "MessagePort: messages",
              1_000,
              "const c = new MessageChannel(); for (let i = 0; i < n; i++) c.port1.postMessage(i);"
                  + "c.port2.onmessage = e => { if (e.data === n - 1) c.port2.close(); };"),
          new Row(
              "",
              "MessagePort: channels, closed one by one",
              1_000,
              "const all = Array.from({length: n}, () => new MessageChannel()); for (const each of all) each.port1.close();"),
          new Row(
              "",
              "MessagePort: as many transferred in one message",
              1_000,
              "const c = new MessageChannel(), ports = Array.from({length: n}, () => new MessageChannel().port1);"
                  + "c.port1.postMessage(ports, ports); c.port2.onmessage = () => c.port2.close();"),
          new Row(
              "",
              "postMessage: to its own window",
              1_000,
              "for (let i = 0; i < n; i++) postMessage(i);"),
          new Row(
              "",
              "URLSearchParams: append, toString",
              1_000,
              "const p = new URLSearchParams(); for (let i = 0; i < n; i++) p.append('k' + i, i); p.toString();"),
          new Row(
              "each change serializes all tuples into the query of the URL, as the standard says",
              "URLSearchParams: of a URL, append",
              500,
              "const p = new URL('https://a.test/').searchParams; for (let i = 0; i < n; i++) p.append('k' + i, i);"),
          new Row(
              "",
              "URLSearchParams: parse, iterate",
              1_000,
              "for (const [k, v] of new URLSearchParams('a=1&'.repeat(n))) v;"),
          new Row(
              "",
              "URLSearchParams: sort",
              1_000,
              "const p = new URLSearchParams(); for (let i = 0; i < n; i++) p.append('k' + (i * 7919 % n), i); p.sort();"),
          new Row(
              "",
              "Headers: append names, iterate",
              1_000,
              "const h = new Headers(); for (let i = 0; i < n; i++) h.append('k' + i, i); for (const [k, v] of h) v;"),
          new Row(
              "",
              "Headers: append to one name, get once",
              1_000,
              "const h = new Headers(); for (let i = 0; i < n; i++) h.append('k', i); h.get('k');"),
          new Row(
              "",
              "Headers: from a record",
              1_000,
              "new Headers(Object.fromEntries(Array.from({length: n}, (_, i) => ['k' + i, i])));"),
          new Row(
              "",
              "FormData: append, iterate",
              1_000,
              "const f = new FormData(); for (let i = 0; i < n; i++) f.append('k' + i, i); for (const [k, v] of f) v;"),
          new Row(
              "",
              "DOM: append children",
              1_000,
              "for (let i = 0; i < n; i++) document.body.appendChild(document.createElement('p'));"),
          new Row(
              "",
              "DOM: insert before the first child",
              1_000,
              "for (let i = 0; i < n; i++) document.body.insertBefore(document.createElement('p'), document.body.firstChild);"),
          new Row(
              "",
              "DOM: append, remove the first child one by one",
              1_000,
              "const b = document.body; for (let i = 0; i < n; i++) b.appendChild(document.createElement('p'));"
                  + "while (b.firstChild) b.removeChild(b.firstChild);"),
          new Row(
              "",
              "DOM: walk by nextSibling",
              1_000,
              "const b = document.body; for (let i = 0; i < n; i++) b.appendChild(document.createElement('p'));"
                  + "for (let e = b.firstChild; e; e = e.nextSibling);"),
          new Row(
              "",
              "DOM: walk by childNodes[i]",
              1_000,
              "const b = document.body; for (let i = 0; i < n; i++) b.appendChild(document.createElement('p'));"
                  + "for (let i = 0; i < b.childNodes.length; i++) b.childNodes[i];"),
          new Row(
              "",
              "DOM: nested elements",
              250,
              "let e = document.body; for (let i = 0; i < n; i++) e = e.appendChild(document.createElement('p'));"),
          new Row(
              "",
              "DOM: event in nested elements",
              250,
              "let e = document.body; for (let i = 0; i < n; i++) { e = e.appendChild(document.createElement('p')); e.addEventListener('a', () => {}); }"
                  + "e.dispatchEvent(new Event('a', {bubbles: true}));"),
          new Row(
              "",
              "DOM: nested elements, built from the inside",
              250,
              "let e = document.createElement('p'); for (let i = 0; i < n; i++) { const p = document.createElement('p'); p.appendChild(e); e = p; }"),
          new Row(
              "",
              "DOM: append an element with id, then getElementById",
              500,
              "for (let i = 0; i < n; i++) { const e = document.createElement('p'); e.id = 'i' + i; document.body.appendChild(e); document.getElementById('i' + i); }"),
          new Row(
              "",
              "DOM: innerHTML, querySelectorAll",
              1_000,
              "document.body.innerHTML = '<p class=a>x</p>'.repeat(n); document.querySelectorAll('p.a').forEach(e => e.textContent);"),
          new Row(
              "",
              "DOM: attributes of one element",
              500,
              "for (let i = 0; i < n; i++) document.body.setAttribute('a' + i, i);"),
          new Row(
              "each change parses and serializes the attribute, as the standard says",
              "DOM: classList.add",
              500,
              "for (let i = 0; i < n; i++) document.body.classList.add('a' + i);"),
          new Row(
              "",
              "structuredClone: array",
              1_000,
              "structuredClone(Array.from({length: n}, (_, i) => ({i})));"),
          new Row(
              "",
              "structuredClone: nested",
              100,
              "let o = {}; for (let i = 0; i < n; i++) o = {o}; structuredClone(o);"),
          new Row(
              "",
              "structuredClone: map",
              1_000,
              "structuredClone(new Map(Array.from({length: n}, (_, i) => [i, {}])));"),
          new Row(
              "",
              "structuredClone: properties",
              1_000,
              "structuredClone(Object.fromEntries(Array.from({length: n}, (_, i) => ['k' + i, i])));"),
          new Row(
              "",
              "structuredClone: one object many times",
              1_000,
              "const o = {}; structuredClone(Array.from({length: n}, () => o));"),
          new Row(
              "",
              "query(): once, many held and waiting",
              1_000,
              "for (let i = 0; i < n; i++) navigator.locks.request('a' + (i / 2 | 0), () => new Promise(() => {}));"
                  + "navigator.locks.query();"),
          new Row(
              "",
              "locks: as many names, released",
              1_000,
              "for (let i = 0; i < n; i++) navigator.locks.request('a' + i, () => {});"),
          new Row(
              "",
              "locks: one name, one after the other",
              1_000,
              "for (let i = 0; i < n; i++) navigator.locks.request('a', () => {});"),
          new Row(
              "",
              "locks: shared, released",
              1_000,
              "for (let i = 0; i < n; i++) navigator.locks.request('a', {mode: 'shared'}, () => {});"),
          new Row(
              "",
              "locks: waiting requests aborted one by one",
              1_000,
              "navigator.locks.request('a', () => new Promise(() => {}));"
                  + "const all = Array.from({length: n}, () => new AbortController());"
                  + "for (const c of all) navigator.locks.request('a', {signal: c.signal}, () => {}).catch(() => {});"
                  + "setTimeout(() => { for (const c of all) c.abort(); });"),
          new Row(
              "",
              "locks: waiting requests aborted by one signal",
              1_000,
              "navigator.locks.request('a', () => new Promise(() => {})); const c = new AbortController();"
                  + "for (let i = 0; i < n; i++) navigator.locks.request('a', {signal: c.signal}, () => {}).catch(() => {});"
                  + "setTimeout(() => c.abort());"),
          new Row(
              "",
              "locks: steal again and again",
              1_000,
              "for (let i = 0; i < n; i++) navigator.locks.request('a', {steal: true}, () => new Promise(() => {})).catch(() => {});"),
          new Row(
              "",
              "timers: set, cleared one by one",
              1_000,
              "const all = Array.from({length: n}, (_, i) => setTimeout(() => {}, 1e6 + i)); for (const each of all) clearTimeout(each);"),
          new Row(
              "",
              "timers: set, fired",
              1_000,
              "for (let i = 0; i < n; i++) setTimeout(() => {}, i % 100);"),
          new Row(
              "",
              "promises: unhandled, then handled",
              1_000,
              "onunhandledrejection = e => e.preventDefault(); const all = Array.from({length: n}, () => Promise.reject(1));"
                  + "setTimeout(() => { for (const each of all) each.catch(() => {}); }, 10);"),
          new Row(
              "",
              "localStorage: set, key(i), removed",
              500,
              "for (let i = 0; i < n; i++) localStorage.setItem('k' + i, i); for (let i = 0; i < n; i++) localStorage.key(i);"
                  + "for (let i = 0; i < n; i++) localStorage.removeItem('k' + i);"),
          new Row(
              "",
              "Blob: chain of concatenations, then text",
              500,
              "let b = new Blob(); for (let i = 0; i < n; i++) b = new Blob([b, 'x']); b.text();"),
          new Row(
              "",
              "Blob: chain of slices",
              500,
              "let b = new Blob(['x'.repeat(n)]); for (let i = 0; i < n; i++) b = b.slice(1); b.text();"),
          new Row(
              "",
              "TextDecoder: chunks of a stream",
              1_000,
              "const d = new TextDecoder(), a = new Uint8Array([0xe2]); for (let i = 0; i < n; i++) d.decode(a, {stream: true});"),
          new Row(
              "",
              "history: pushState",
              500,
              "for (let i = 0; i < n; i++) history.pushState(null, '', '?' + i);"),
          new Row(
              "",
              "frames: added, then removed one by one",
              10,
              "const all = Array.from({length: n}, () => document.body.appendChild(document.createElement('iframe')));"
                  + "for (const each of all) each.remove();"),
          new Row(
              "",
              "fetch: as many, aborted by one signal",
              500,
              "const c = new AbortController(); for (let i = 0; i < n; i++) fetch('/hang' + i, {signal: c.signal}).catch(() => {});"
                  + "setTimeout(() => c.abort(), 10);"),
          new Row(
              "",
              "fetch: data URLs",
              500,
              "for (let i = 0; i < n; i++) fetch('data:,x').then(r => r.text());"),
          new Row(
              "",
              "console: nested groups with a line each",
              250,
              "for (let i = 0; i < n; i++) { console.group('g'); console.log(i); }"),
          new Row(
              "",
              "console: count of as many labels",
              500,
              "for (let i = 0; i < n; i++) console.count('l' + i);"),
          new Row(
              "",
              "URL: createObjectURL, revoked one by one",
              500,
              "const all = Array.from({length: n}, () => URL.createObjectURL(new Blob())); for (const each of all) URL.revokeObjectURL(each);"));

  /** Runs a script in a window, and returns the cost. */
  private static Cost cost(Row row, int n) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<String> errors = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request ->
                    request.url().contains("hang")
                        ? new CompletableFuture<>()
                        : CompletableFuture.completedFuture(
                            ResourceResponse.of(request.url(), "text/html", "<body></body>")))
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      Window window = userAgent.open("https://one.test/");
      driver.runUntilIdle(1_000_000);
      long nanos = threads.getCurrentThreadCpuTime();
      long bytes = threads.getCurrentThreadAllocatedBytes();
      CompletableFuture<EvaluatedValue> ran =
          window.evaluate("{ const n = " + n + ";" + row.script + "}");
      driver.runUntilIdle(10_000_000);
      bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
      nanos = threads.getCurrentThreadCpuTime() - nanos;
      ran.join();
      assertEquals(List.of(), errors, row.name);
      return new Cost(nanos / 1e6, bytes / 1e6);
    }
  }

  private static String columns(List<Cost> costs, ToDoubleFunction<Cost> value) {
    StringBuilder text = new StringBuilder();
    for (Cost each : costs) {
      text.append(String.format(Locale.ROOT, "%8.1f", value.applyAsDouble(each)));
    }
    for (int i = 1; i < costs.size(); i++) {
      double factor = value.applyAsDouble(costs.get(i)) / value.applyAsDouble(costs.get(i - 1));
      text.append(String.format(Locale.ROOT, " x%-4.1f", factor));
    }
    return text.toString();
  }

  @Test
  void memory_for_what_script_chains_grows_no_faster_than_n_log_n() throws IOException {
    StringBuilder table = new StringBuilder();
    List<String> steep = new ArrayList<>();
    for (Row row : ROWS) {
      cost(row, row.size); // initializes classes
      List<Cost> costs = new ArrayList<>();
      for (int times : TIMES) {
        costs.add(cost(row, times * row.size));
      }
      String line =
          String.format(
              Locale.ROOT,
              "%-58s n=%-5d ms%s  MB%s %s",
              row.name,
              row.size,
              columns(costs, Cost::millis),
              columns(costs, Cost::megabytes),
              row.reason);
      table.append(line.stripTrailing()).append('\n');
      double growth = costs.getLast().megabytes / costs.getFirst().megabytes;
      if (growth > MAX_GROWTH && row.reason.isEmpty()) {
        steep.add(line);
      }
    }
    Path file = Path.of("target/growth.txt");
    Files.createDirectories(file.getParent());
    Files.writeString(file, table);
    assertEquals(List.of(), steep, "memory of these grows faster than n log n");
  }
}
