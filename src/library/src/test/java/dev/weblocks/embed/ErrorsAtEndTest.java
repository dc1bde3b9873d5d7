package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.serviceworkers.ServiceWorkers;
import dev.weblocks.testing.TestSize;
import dev.weblocks.url.UrlParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Script that uses a constructor or operation when its agent, window or user agent has begun to
 * end. No error of it is reported, as its author cannot avoid it.
 */
class ErrorsAtEndTest {

  /** The end that has begun when the script uses a constructor or operation. */
  private enum End {
    NONE,
    /** The script's turn has ended the agent. */
    AGENT,
    /** The script's turn has closed the window. */
    WINDOW,
    /** The script's turn has closed the user agent. */
    USER_AGENT,
    /** The window is being closed, which has not reached the agent of the script. */
    WINDOW_BEGINS,
    /** The user agent is being closed, which has not reached the agent of the script. */
    USER_AGENT_BEGINS
  }

  /** Constructors and operations of windows. */
  private static final List<String> OF_WINDOWS =
      List.of(
          "document.documentElement.append(document.createElement('iframe'))",
          "const f = document.createElement('iframe'); document.documentElement.append(f);"
              + " f.contentWindow.document.title",
          "frame.contentWindow.location = '/'; frame.contentWindow.document.title",
          "frame.remove()",
          "open('/').document.title",
          "open('/', '', 'noopener')",
          "location = '/'",
          "location.reload()",
          "history.pushState(1, '', '/other'); history.back()",
          "document.documentElement.innerHTML = '<p>'",
          "const s = document.createElement('script'); s.text = 'a = 1';"
              + " document.documentElement.append(s)",
          "const s = document.createElement('script'); s.src = 'classic.js';"
              + " document.documentElement.append(s)",
          "const s = document.createElement('script'); s.type = 'module'; s.src = 'module.js';"
              + " document.documentElement.append(s)",
          "requestAnimationFrame(() => {})",
          "parent.postMessage(1, '*')",
          "localStorage.setItem('b', 2); sessionStorage.setItem('b', 2)",
          "worker.postMessage(1)",
          "worker.terminate()",
          "new SharedWorker('classic.js').port.postMessage(1)",
          "navigator.serviceWorker.register('classic.js')",
          "navigator.serviceWorker.getRegistration()",
          "close()",
          "stop()");

  /** Constructors and operations of workers. */
  private static final List<String> OF_WORKERS =
      List.of(
          "importScripts('classic.js')",
          "close()",
          "postMessage(1)",
          "new FileReaderSync().readAsText(new Blob())");

  /** Constructors and operations of windows and workers. */
  private static final List<String> OF_ALL =
      List.of(
          "new Worker('classic.js')",
          "new Worker('data:,0')",
          "new Worker(URL.createObjectURL(new Blob(['0'])))",
          "navigator.locks.request('free', () => {})",
          "navigator.locks.request('held', () => {})",
          "navigator.locks.request('held', {ifAvailable: true}, () => {})",
          "navigator.locks.request('held', {steal: true}, () => {})",
          "navigator.locks.request('a', {signal: AbortSignal.timeout(1)}, () => {})",
          "navigator.locks.query()",
          "AbortSignal.any([AbortSignal.timeout(1)]).onabort = () => {}",
          "setTimeout(() => {}); const i = setInterval(() => clearInterval(i), 1); queueMicrotask(() => {})",
          "fetch('/')",
          "fetch(URL.createObjectURL(new Blob(['a'])))",
          "new Request('/').text(); new Response('1').json()",
          "const r = new XMLHttpRequest(); r.open('GET', '/'); r.send()",
          "const r = new XMLHttpRequest(); r.open('GET', '/', false); r.send(); r.responseText.length",
          "import('./module.js')",
          "new BroadcastChannel('a').postMessage(1)",
          "const c = new MessageChannel(); c.port1.postMessage(1, [c.port2])",
          "structuredClone(new Map([[1, new Blob(['a'])]]))",
          "new Blob(['a']).text(); new File(['a'], 'b').arrayBuffer()",
          "URL.revokeObjectURL(URL.createObjectURL(new Blob(['a'])))",
          "new FileReader().readAsText(new Blob(['a']))",
          "new URL('x:').searchParams.append('a', 1); new URLSearchParams('a=1').sort()",
          "new Headers({a: 'b'}); new FormData().append('a', new Blob())",
          "new TextEncoder().encode('a'); new TextDecoder().decode(new Uint8Array(1))",
          "const t = new EventTarget(); t.addEventListener('a', () => {}); t.dispatchEvent(new Event('a'))",
          "dispatchEvent(new CustomEvent('a'))",
          "new DOMException('a', 'AbortError').stack",
          "new MessageEvent('message'); new ErrorEvent('error')",
          "navigator.storage.persisted(); navigator.storage.estimate()",
          "navigator.storageBuckets.open('a').then(b => b.locks.request('a', () => {}))",
          "crypto.getRandomValues(new Uint8Array(4)); crypto.randomUUID(); performance.now()",
          "console.log('logged'); console.table([1]); console.assert(false)");

  /** Faults of script that are reported, unless the agent or user agent has begun to end. */
  private static final List<String> FAULTS =
      List.of(
          "x()",
          "throw new Error('thrown')",
          "Promise.reject(new Error('rejected'))",
          "queueMicrotask(() => x())",
          "reportError(new Error('reported'))",
          "fetch('/absent')",
          "import('./absent.js')",
          "structuredClone(() => {})",
          "new URL(':')",
          "AbortSignal.abort().throwIfAborted()",
          "const t = new EventTarget(); t.addEventListener('a', () => x()); t.dispatchEvent(new Event('a'))");

  /** A window of two agents, its own and that of a frame, and a worker of the frame. */
  private static final class Program implements AutoCloseable {
    private static final String OWN_AGENT = "window-1";

    private final DeterministicDriver driver = Driver.deterministic(1);
    private final List<String> reports = new ArrayList<>();
    private final dev.weblocks.agent.UserAgent userAgent;
    private final Window window;
    private final End end;
    private final boolean inWorker;
    private boolean hasRun;

    /** Loads the window; {@code code} runs in the frame, or its worker, on the next message. */
    Program(End end, String code, boolean inWorker) {
      this.end = end;
      this.inWorker = inWorker;
      String run = "onmessage = () => { console.log('ends'); " + code + " }";
      Map<String, String> resources =
          Map.of(
              "https://one.test/",
              """
              <script>
                onerror = (message) => console.log('window.onerror ' + message);
                onunhandledrejection = (e) => console.log('window.onunhandledrejection');
              </script>
              <iframe src="https://two.test/frame"></iframe>\
              """,
              "https://two.test/frame",
              """
              <script>
                navigator.locks.request('held', () => new Promise(() => {})).catch(() => {});
                const worker = new Worker('worker.js'), frame = document.createElement('iframe');
                document.documentElement.append(frame);
                worker.onerror = () => console.log('worker.onerror');
                %s
              </script>\
              """
                  .formatted(inWorker ? "onmessage = () => worker.postMessage(0)" : run),
              "https://two.test/worker.js",
              inWorker ? run : "",
              "https://two.test/classic.js",
              "self.a = 1",
              "https://two.test/module.js",
              "export default 1",
              "https://two.test/",
              "<p>two</p>",
              "https://two.test/other",
              "<p>other</p>");
      userAgent =
          new dev.weblocks.agent.UserAgent(
              UserAgentConfiguration.of(
                  UserAgent.newBuilder()
                      .resourceLoader(request -> load(resources, request.url()))
                      .consoleListener(this::message)
                      .errorListener(error -> reports.add(error.kind() + " " + error.message())),
                  driver,
                  SharedEnvironment.ENVIRONMENT,
                  new RandomSource(new SplittableRandom(1)),
                  null));
      ServiceWorkers.attachTo(userAgent);
      window =
          new Window(
              userAgent,
              UrlParser.parseAbsolute("https://one.test/"),
              FrozenLocks.REFUSE,
              /* wasDiscarded= */ false);
      driver.runUntilIdle(100_000);
      assertEquals(List.of(), reports);
    }

    private static CompletableFuture<ResourceResponse> load(
        Map<String, String> resources, String url) {
      String body = resources.get(url);
      return body == null
          ? CompletableFuture.failedFuture(new IOException("absent"))
          : CompletableFuture.completedFuture(
              ResourceResponse.of(
                  url, url.endsWith(".js") ? "text/javascript" : "text/html", body));
    }

    private void message(ConsoleMessage message) {
      if (message.text().equals("ends")) {
        hasRun = true;
        switch (end) {
          case AGENT -> agent(message.agent()).terminate();
          case WINDOW, USER_AGENT -> begin();
          default -> {}
        }
      } else if (message.text().contains(".on")) {
        reports.add(message.text());
      }
    }

    private void begin() {
      switch (end) {
        case WINDOW, WINDOW_BEGINS -> window.close();
        default -> userAgent.close();
      }
    }

    private Agent agent(String name) {
      return userAgent.agents().stream()
          .filter(each -> each.name().equals(name))
          .findFirst()
          .orElseThrow();
    }

    /** Runs the script when the end has begun; returns the reports. */
    List<String> run() {
      CompletableFuture<EvaluatedValue> unused = window.evaluate("frames[0].postMessage(0, '*')");
      String target = inWorker ? "worker-3" : "window-2";
      while (!hasRun && !agent(target).eventLoop().hasWork()) {
        assertTrue(driver.runOne());
      }
      if (end == End.WINDOW_BEGINS || end == End.USER_AGENT_BEGINS) {
        assertFalse(hasRun);
        agent(OWN_AGENT)
            .onEnding(() -> {
              for (int i = 0; i < 1_000 && !hasRun; i++) {
                assertTrue(driver.runOne());
              }
              assertTrue(hasRun);
            });
        begin();
      }
      driver.runUntilIdle(100_000);
      assertTrue(hasRun);
      return reports;
    }

    @Override
    public void close() {
      userAgent.close();
      driver.runUntilIdle(100_000);
      driver.close();
    }
  }

  private static Stream<Arguments> programs() {
    List<Arguments> programs = new ArrayList<>();
    for (End end : End.values()) {
      OF_WINDOWS.forEach(code -> programs.add(Arguments.of(end, code, false)));
      OF_ALL.forEach(code -> programs.add(Arguments.of(end, code, false)));
      OF_WORKERS.forEach(code -> programs.add(Arguments.of(end, code, true)));
      OF_ALL.forEach(code -> programs.add(Arguments.of(end, code, true)));
      if (end == End.AGENT || end == End.USER_AGENT || end == End.USER_AGENT_BEGINS) {
        FAULTS.forEach(code -> programs.add(Arguments.of(end, code, false)));
        FAULTS.forEach(code -> programs.add(Arguments.of(end, code, true)));
      }
    }
    return IntStream.range(0, programs.size())
        .filter(i -> i % TestSize.of(8, 1) == 0)
        .mapToObj(programs::get);
  }

  @Test
  void worker_made_while_the_user_agent_closes_reports_no_error() {
    script_that_meets_an_end_reports_no_error(
        End.USER_AGENT_BEGINS, "new Worker('classic.js')", false);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void script_that_meets_an_end_reports_no_error(End end, String code, boolean inWorker) {
    try (Program program = new Program(end, code, inWorker)) {
      assertEquals(List.of(), program.run());
    }
  }
}
