package dev.weblocks.embed;

import dev.weblocks.model.LimitEvent;
import dev.weblocks.model.Limits;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.model.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A user agent with limits under a deterministic driver, and everything that it reports. */
final class LimitsBed implements AutoCloseable {

  final List<String> log = new ArrayList<>();
  final List<UncaughtError> errors = new ArrayList<>();
  final List<LimitEvent> events = new ArrayList<>();
  final DeterministicDriver driver = Driver.deterministic(1);
  final UserAgent userAgent;
  private final Map<String, String> scripts = new HashMap<>();

  LimitsBed(UnaryOperator<Limits.Builder> limits, Variant... variants) {
    this(SharedEnvironment.ENVIRONMENT, limits, variants);
  }

  LimitsBed(Environment environment, UnaryOperator<Limits.Builder> limits, Variant... variants) {
    userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(environment)
            .variants(Set.of(variants))
            .limits(limits.apply(Limits.newBuilder()).build())
            .resourceLoader(request -> CompletableFuture.completedFuture(answer(request.url())))
            .consoleListener(message -> log.add(message.text()))
            .errorListener(errors::add)
            .limitListener(events::add)
            .build();
  }

  private ResourceResponse answer(String url) {
    String script = scripts.getOrDefault(url, "");
    return url.endsWith(".js")
        ? ResourceResponse.of(url, "text/javascript", script)
        : ResourceResponse.of(url, "text/html", "<body><script>" + script + "</script>");
  }

  /** Sets the script of a page, or that of a worker if the URL ends with {@code .js}. */
  LimitsBed script(String url, String script) {
    scripts.put(url, script);
    return this;
  }

  /** Opens a window with a script, and runs until nothing is left to do. */
  Window open(String url, String script) {
    script(url, script);
    Window window = userAgent.open(url);
    run();
    return window;
  }

  /** Runs a script in a window, and everything that follows. */
  void evaluate(Window window, String script) {
    CompletableFuture<EvaluatedValue> unused = window.evaluate(script);
    run();
  }

  void run() {
    driver.runUntilIdle(100_000);
  }

  /** Runs all steps up to a virtual time. */
  void runUntil(Duration sinceStart) {
    boolean more = true;
    while (more) {
      more = driver.runOneUntil(sinceStart);
    }
  }

  List<String> errorMessages() {
    return errors.stream().map(UncaughtError::message).toList();
  }

  /** Returns the log, and empties it. */
  List<String> takeLog() {
    List<String> taken = List.copyOf(log);
    log.clear();
    return taken;
  }

  @Override
  public void close() {
    userAgent.close();
    driver.close();
  }
}
