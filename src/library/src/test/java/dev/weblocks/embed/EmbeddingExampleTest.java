package dev.weblocks.embed;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** The code of the examples in the package description. */
class EmbeddingExampleTest {

  @Test
  void script_of_a_context_waits_for_a_lock_held_by_java() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // @start region="context"
    try (UserAgent userAgent = UserAgent.newBuilder().build();
        Context context =
            Context.newBuilder("js")
                .option("js.unhandled-rejections", "handler") // or such errors would vanish
                .out(out)
                .build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install();
        LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN)) {
      HeldLock lock = java.acquire("a"); // free, so at once
      context.eval("js", "navigator.locks.request('a', () => console.log('granted'))");
      installation.runUntilIdle(); // Java holds the lock
      lock.release().join();
      installation.runUntilIdle(); // prints "granted"
    }
    // @end
    assertEquals("granted", out.toString().strip());
  }

  @Test
  void window_gets_a_lock() throws Exception {
    String granted;
    // @start region="window"
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .resourceLoader(request ->
                completedFuture(
                    ResourceResponse.of(
                        request.url(),
                        "text/html",
                        "<script>"
                            + "navigator.locks.request('a', lock => console.log(lock.name))"
                            + "</script>")))
            .consoleListener(message -> lines.add(message.text()))
            .build()) {
      userAgent.open("https://app.test/").loaded().join();
      granted = lines.poll(1, TimeUnit.MINUTES); // a
    }
    // @end
    assertEquals("a", granted);
  }

  @Test
  void experiment_finds_a_deadlock() {
    boolean deadlock = false;
    // @start region="experiment"
    String page = "<script>%s</script>";
    String nested = "navigator.locks.request('%s', () => navigator.locks.request('%s', () => {}))";
    ResourceLoader pages =
        ResourceLoader.inMemory()
            .put("https://app.test/1.html", page.formatted(nested.formatted("a", "b")))
            .put("https://app.test/2.html", page.formatted(nested.formatted("b", "a")))
            .build();
    try (Environment environment = Environment.create()) { // shared, as it is expensive to make
      for (long seed = 1; seed <= 100 && !deadlock; seed++) {
        try (DeterministicDriver driver = Driver.deterministic(seed);
            UserAgent userAgent =
                UserAgent.newBuilder()
                    .driver(driver)
                    .environment(environment)
                    .resourceLoader(pages)
                    .build()) {
          userAgent.open("https://app.test/1.html");
          userAgent.open("https://app.test/2.html");
          driver.runUntilIdle(10_000);
          deadlock = DeadlockReport.of(userAgent.locks()).hasCycle(); // true for some seeds
        }
      }
    }
    // @end
    assertTrue(deadlock);
  }
}
