package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Ending;
import dev.weblocks.model.Limit;
import dev.weblocks.model.LimitEvent;
import dev.weblocks.model.Limits;
import dev.weblocks.model.UncaughtError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The limit of statements. It has an environment of its own, which counts them. */
class StatementLimitTest {

  /** A timeout that only a hang reaches. */
  private static final long LIMIT_SECONDS = 60;

  private static Environment environment;

  @BeforeAll
  static void makeEnvironment() {
    environment = Environment.create();
  }

  @AfterAll
  static void closeEnvironment() {
    environment.close();
  }

  @Test
  void script_beyond_the_limit_of_statements_ends_with_its_agent_alone() {
    try (LimitsBed bed = new LimitsBed(environment, limits -> limits.statements(1_000))) {
      Window neighbour =
          bed.open("https://two.test/", "addEventListener('x', () => console.log('goes on'))");
      Window endless =
          bed.open(
              "https://one.test/",
              "navigator.locks.request('a', async () => { for (;;) await 1; })");
      assertTrue(endless.ended().toCompletableFuture().isDone());
      assertEquals(
          List.of(
              "script has run 1000 statements, which is the limit; its agent ends, and its locks"
                  + " are released"),
          bed.errorMessages());
      assertEquals(UncaughtError.Kind.LIMIT, bed.errors.getFirst().kind());
      assertEquals(List.of(Limit.STATEMENTS), bed.events.stream().map(LimitEvent::limit).toList());
      assertEquals(Map.of(Limit.STATEMENTS, 1L), bed.userAgent.metrics().limitsReached());
      assertEquals(0, bed.userAgent.metrics().held());
      bed.evaluate(neighbour, "dispatchEvent(new Event('x'))");
      assertEquals(List.of("goes on"), bed.log);
    }
  }

  @Test
  void worker_beyond_the_limit_of_statements_ends_without_its_owner() {
    try (LimitsBed bed = new LimitsBed(environment, limits -> limits.statements(1_000))) {
      bed.script("https://one.test/a.js", "setInterval(() => { for (let i = 0; i < 99; i++) i; })");
      Window window = bed.open("https://one.test/", "new Worker('a.js')");
      assertEquals(1, bed.errors.size(), () -> "" + bed.errors);
      assertEquals(1, bed.userAgent.metrics().agents());
      bed.evaluate(window, "console.log('goes on')");
      assertEquals(List.of("goes on"), bed.log);
    }
  }

  @Test
  void own_code_of_the_library_does_not_count_as_statements() {
    try (LimitsBed bed = new LimitsBed(environment, limits -> limits.statements(5))) {
      Window unused =
          bed.open("https://one.test/", "console.log(structuredClone([1, 2, 3]).length)");
      assertEquals(List.of("3"), bed.log);
      assertEquals(List.of(), bed.errors);
    }
  }

  @Test
  void user_agent_without_the_limit_goes_on_in_the_same_environment() {
    try (LimitsBed limited = new LimitsBed(environment, limits -> limits.statements(100));
        LimitsBed free = new LimitsBed(environment, limits -> limits)) {
      String script = "let n = 0; while (n < 100_000) n++; console.log(n)";
      Window unused = limited.open("https://one.test/", script);
      Window other = free.open("https://one.test/", script);
      assertEquals(List.of(), limited.log);
      assertEquals(1, limited.errors.size());
      assertEquals(List.of("100000"), free.log);
      free.evaluate(other, script.replace("let n", "n"));
      assertEquals(List.of("100000", "100000"), free.log);
      assertEquals(List.of(), free.errors);
    }
  }

  @Test
  void endless_loop_gives_the_only_thread_of_a_pool_back() throws Exception {
    BlockingQueue<UncaughtError> errors = new LinkedBlockingQueue<>();
    try (Driver pool = Driver.threadPool(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(pool)
                .environment(environment)
                .limits(Limits.newBuilder().statements(1_000).build())
                .errorListener(errors::add)
                .build()) {
      Window endless = userAgent.open("about:blank");
      Window neighbour = userAgent.open("about:blank");
      CompletableFuture<Void> both = CompletableFuture.allOf(endless.loaded(), neighbour.loaded());
      both.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      CompletableFuture<EvaluatedValue> unused =
          endless.evaluate("try { while (true); } finally { while (true); }");
      assertEquals(Ending.STOPPED, endless.ended().get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals("2", neighbour.evaluate("1 + 1").get(LIMIT_SECONDS, TimeUnit.SECONDS).text());
      assertEquals(UncaughtError.Kind.LIMIT, errors.remove().kind());
      assertTrue(errors.isEmpty(), errors::toString);
      assertEquals(Map.of(Limit.STATEMENTS, 1L), userAgent.metrics().limitsReached());
    }
  }
}
