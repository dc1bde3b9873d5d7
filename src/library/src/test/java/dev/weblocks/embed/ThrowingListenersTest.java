package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Listeners of the embedder that throw, while script and locks continue. */
class ThrowingListenersTest {

  private static final String FAILURE = "this listener fails";

  private static final String PAGE = "https://one.test/";

  private static final String SCRIPT =
      """
      <script>
      navigator.locks.request('a', () => new Promise(resolve => setTimeout(resolve, 10)));
      navigator.locks.request('a', () => {
        document.title = 'granted';
        console.clear();
        console.log('a message');
        reportError('an error');
      }).then(() => { document.title += ', settled'; });
      </script>\
      """;

  private DeterministicDriver driver;

  @BeforeEach
  void makeDriver() {
    driver = Driver.deterministic(1);
  }

  @AfterEach
  void closeDriver() {
    driver.close();
  }

  /** Throws a different exception or error at each call. */
  private static void fail(List<String> told) {
    told.add("told");
    switch (told.size() % 3) {
      case 1 -> throw new IllegalStateException(FAILURE);
      case 2 -> throw new AssertionError(FAILURE);
      default -> throw new StackOverflowError(FAILURE);
    }
  }

  /**
   * Runs steps; returns the log records about exceptions of these listeners. Other tests log at the
   * same time.
   */
  private static List<String> logged(Runnable steps) {
    Queue<String> messages = new ConcurrentLinkedQueue<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord each) {
            Throwable thrown = each.getThrown();
            if (thrown != null
                && !(thrown instanceof StackOverflowError)
                && FAILURE.equals(thrown.getMessage())) {
              messages.add(each.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.weblocks");
    logger.addHandler(handler);
    try {
      steps.run();
    } finally {
      logger.removeHandler(handler);
    }
    return List.copyOf(messages);
  }

  static Stream<Throwing> listeners() {
    return Stream.of(
        new Throwing("trace", (builder, told) -> builder.traceListener(event -> fail(told))),
        new Throwing(
            "end of a step",
            (builder, told) ->
                builder.traceListener(
                    new TraceListener() {
                      @Override
                      public void on(TraceEvent event) {}

                      @Override
                      public void ended(long id, Duration time) {
                        fail(told);
                      }
                    })),
        new Throwing("error", (builder, told) -> builder.errorListener(error -> fail(told))),
        new Throwing(
            "clearing of the console",
            (builder, told) ->
                builder.consoleListener(
                    new ConsoleListener() {
                      @Override
                      public void message(ConsoleMessage message) {}

                      @Override
                      public void cleared(String url) {
                        fail(told);
                      }
                    })),
        new Throwing("console", (builder, told) -> builder.consoleListener(message -> fail(told))),
        new Throwing(
            "lock",
            (builder, told) ->
                builder.lockListener(
                    new LockListener() {
                      @Override
                      public void granted(LockEvent event) {
                        fail(told);
                      }
                    })));
  }

  /** A throwing listener, and the builder setting that it is for. */
  private record Throwing(String name, Setting setting) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  private interface Setting {
    void on(UserAgent.Builder builder, List<String> told);
  }

  @ParameterizedTest
  @MethodSource("listeners")
  void locks_continue_to_work_whatever_a_listener_throws(Throwing listener) {
    List<String> told = new ArrayList<>();
    List<String> title = new ArrayList<>();
    UserAgent.Builder builder =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(SharedEnvironment.ENVIRONMENT)
            .errorListener(error -> {})
            .resourceLoader(request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(request.url(), "text/html", SCRIPT)));
    listener.setting().on(builder, told);
    List<String> logged =
        logged(() -> {
          try (UserAgent userAgent = builder.build()) {
            Window window = userAgent.open(PAGE);
            driver.runUntilIdle(10_000);
            window
                .evaluate("document.title")
                .thenAccept(evaluation -> title.add(String.valueOf(evaluation)));
            driver.runUntilIdle(10_000);
            assertEquals(List.of(), userAgent.locks());
          }
        });
    assertEquals(1, title.size());
    assertTrue(title.getFirst().contains("granted, settled"), title::toString);
    assertFalse(told.isEmpty(), "the listener was not called");
    if (!listener.name().equals("lock")) { // the journal logs each of these exceptions
      assertEquals(1, logged.size(), logged::toString);
      assertTrue(logged.getFirst().contains("catch them in the listener"), logged::toString);
    }
  }
}
