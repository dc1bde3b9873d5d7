package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.OtherJvm;
import dev.weblocks.testing.TestSize;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A page that overflows its stack affects no other user agent. Runs in a JVM of its own: in the
 * tests' JVM the engine's classes are already initialized, so the failure could not occur.
 */
class StackOverflowTest {

  /** Scripts that run for the first time near the end of the stack. */
  private static final List<String> BOTTOMS =
      List.of(
          "addEventListener('unhandledrejection', e => e.preventDefault()); import('./x.js'); import('data:text/javascript,')",
          "new Error('x').stack; [3, 1, 2].sort()",
          "new Map([[1, 2]])",
          "BigInt(3) ** 5n",
          "JSON.stringify({a: [1]}); 'abc'.replace(/b/g, 'x').split('')",
          "document.getElementsByTagName('x').length",
          "navigator.locks.request('a' + Math.random(), () => {}).catch(() => {})",
          "(function () { return arguments })(1)",
          "setTimeout(() => {})",
          "[...new Headers([['a', 'b']])]",
          "new Response('x')",
          "crypto.getRandomValues(new Uint8Array(4))",
          "const x = new XMLHttpRequest(); x.open('POST', '/x', false); x.setRequestHeader('a', 'b');"
              + " x.send(new FormData()); x.responseText + x.getAllResponseHeaders()",
          "const x = new XMLHttpRequest(); x.timeout = 1; x.upload.onload = () => {};"
              + " x.open('POST', '/x'); x.send('x'); x.abort()",
          "const f = new FormData(); f.append('a', new Blob(['x'])); [...f];"
              + " new Response(f).formData().catch(() => {})",
          "const r = new FileReader(); r.readAsText(new Blob(['x']), 'utf-16'); r.abort();"
              + " r.readAsDataURL(new Blob(['x']))",
          "structuredClone(new Map([[1, new Date()]]), {transfer: []})",
          "structuredClone(new Error('x'))",
          "dispatchEvent(new Event('x', {bubbles: true}))",
          "new EventTarget().addEventListener('x', () => {}, {once: true})",
          "onmessage = () => {}",
          "AbortSignal.any([AbortSignal.timeout(1)])",
          "new URL('?' + new URLSearchParams({a: 'b'}), 'https://one.test')",
          "new Blob(['x'])",
          "performance.toJSON()",
          "localStorage.a = 1; localStorage.key(0); Object.keys(localStorage); localStorage.clear()",
          "navigator.storage.estimate().catch(() => {})",
          "navigator.storageBuckets.open('a').then(b => b.expires()).catch(() => {})",
          "new StorageEvent('storage', {storageArea: sessionStorage})",
          "const c = new MessageChannel(), d = new MessageChannel(); c.port2.onmessage = () => {};"
              + " c.port1.postMessage({b: new Uint8Array([1])}, [d.port1]); c.port1.close()",
          "new MessageEvent('x', {ports: [new MessageChannel().port1]}).ports",
          "const b = new BroadcastChannel('x'); b.onmessage = () => {};"
              + " new BroadcastChannel('x').postMessage([1]); b.close()");

  /**
   * The stack size of the thread that runs the pages. Small, since each script overflows dozens of
   * times before it fits, and each time the engine with the optimising compiler walks the whole
   * stack.
   */
  private static final long STACK_BYTES = 2 << 20;

  /** Prints for each script the output of an overflowing page and of another user agent's page. */
  static final class Overflow {
    public static void main(String[] args) throws Exception {
      Semaphore work = new Semaphore(0);
      try (CallerDrivenDriver driver = Driver.callerDriven(work::release);
          Environment environment = Environment.create()) {
        Thread agents =
            new Thread(
                null,
                () -> {
                  while (true) {
                    work.acquireUninterruptibly();
                    while (driver.runOne()) {
                      // until no agent has work
                    }
                  }
                },
                "agents",
                STACK_BYTES);
        agents.setDaemon(true);
        agents.start();
        for (String bottom : bottoms()) {
          open(
              driver,
              environment,
              "let done; function f() { try { f(); } finally { if (!done) try { "
                  + bottom
                  + "; done = true; } catch {} } }"
                  + " try { f(); } catch (e) { console.log(e instanceof RangeError); }");
          open(driver, environment, bottom + "; console.log('unharmed');");
        }
      }
    }

    private static void open(Driver driver, Environment environment, String script)
        throws Exception {
      try (UserAgent userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(environment)
              .resourceLoader(request ->
                  CompletableFuture.completedFuture(
                      ResourceResponse.of(
                          request.url(), "text/html", "<script>" + script + "</script>")))
              .consoleListener(message -> System.out.println(message.text()))
              .errorListener(error -> System.out.println(error.message()))
              .build()) {
        userAgent.open("https://one.test/").loaded().get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** Returns all scripts in a run in full size, else each sixteenth one. */
  private static List<String> bottoms() {
    int step = TestSize.of(16, 1);
    return IntStream.range(0, BOTTOMS.size())
        .filter(i -> i % step == 0)
        .mapToObj(BOTTOMS::get)
        .toList();
  }

  @Test
  void overflowing_page_gets_a_range_error_and_other_user_agents_continue() throws Exception {
    List<String> command =
        OtherJvm.command(
            List.of(
                "-Dsun.misc.unsafe.memory.access=allow",
                "-Dweblocks.full=" + Boolean.getBoolean("weblocks.full"),
                "--enable-native-access=ALL-UNNAMED"),
            Overflow.class);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("true\nunharmed\n".repeat(bottoms().size()), output.replace("\r\n", "\n"));
    assertEquals(0, process.waitFor());
  }
}
