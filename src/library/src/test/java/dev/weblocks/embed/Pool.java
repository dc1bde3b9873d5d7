package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.UncaughtError;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Windows and workers of one user agent on a real pool of threads. */
final class Pool implements AutoCloseable {

  static final String ORIGIN = "https://one.test";

  /** A timeout that only a hang reaches. */
  static final long LIMIT_SECONDS = 60;

  private final Driver driver;
  private final UserAgent userAgent;
  private final Map<String, CompletableFuture<ResourceResponse>> resources =
      new ConcurrentHashMap<>();
  private final BlockingQueue<String> console = new LinkedBlockingQueue<>();
  private final Collection<UncaughtError> errors = new ConcurrentLinkedQueue<>();
  private final Collection<TraceEvent> trace = new ConcurrentLinkedQueue<>();
  private final Semaphore grants = new Semaphore(0);
  private final AtomicInteger windows = new AtomicInteger();

  Pool(int threads) {
    this(Driver.threadPool(threads), SharedEnvironment.ENVIRONMENT);
  }

  /**
   * Creates a pool.
   *
   * @param driver closed with the pool
   */
  Pool(Driver driver, Environment environment) {
    this.driver = driver;
    userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(environment)
            .random(new SplittableRandom(1))
            .resourceLoader(this::load)
            .consoleListener(message -> console.add(message.text()))
            .errorListener(errors::add)
            .traceListener(event -> {
              if (event.kind() == TraceKind.AGENT || event.kind() == TraceKind.LOCK_EFFECT) {
                trace.add(event);
                if (event.detail().startsWith("Granted")) {
                  grants.release();
                }
              }
            })
            .build();
  }

  private CompletionStage<ResourceResponse> load(ResourceRequest request) {
    CompletableFuture<ResourceResponse> found = resources.get(request.url());
    return found != null
        ? found
        : CompletableFuture.completedFuture(
            new ResourceResponse(request.url(), 404, "Not Found", List.of(), new byte[0]));
  }

  Pool resource(String path, String text) {
    resources.put(
        ORIGIN + path,
        CompletableFuture.completedFuture(
            ResourceResponse.of(ORIGIN + path, "text/javascript", text)));
    return this;
  }

  /** Adds a resource whose response never arrives. */
  Pool resourceThatHangs(String path) {
    resources.put(ORIGIN + path, new CompletableFuture<>());
    return this;
  }

  Window window(String script) {
    String url = ORIGIN + "/window-" + windows.incrementAndGet() + ".html";
    resources.put(
        url,
        CompletableFuture.completedFuture(
            ResourceResponse.of(
                url, "text/html", "<!doctype html><script>" + script + "</script>")));
    return userAgent.open(url);
  }

  void stopServiceWorkers() {
    userAgent.stopServiceWorkers();
  }

  /** Waits for the next console message of any agent. */
  String next() throws InterruptedException {
    String line = console.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertNotNull(line, () -> "nobody says anything; errors: " + errors);
    return line;
  }

  /** Waits for so many grants from now on. */
  void awaitGrants(int count) throws InterruptedException {
    grants.drainPermits();
    for (int i = 0; i < count; i++) {
      assertTrue(
          grants.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS),
          () -> "nobody gets a lock any more; errors: " + errors);
    }
  }

  void expect(String line) throws InterruptedException {
    assertEquals(line, next());
  }

  /** Returns the console messages that were not consumed yet. */
  List<String> rest() {
    return List.copyOf(console);
  }

  static void await(CompletionStage<?> stage) throws Exception {
    stage.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  List<UncaughtError> errors() {
    return List.copyOf(errors);
  }

  List<TraceEvent> trace() {
    return List.copyOf(trace);
  }

  /** Returns the agents that have begun and not ended. */
  Set<String> agents() {
    Set<String> living = new TreeSet<>();
    for (TraceEvent event : trace) {
      if (event.kind() == TraceKind.AGENT && event.detail().equals("begins")) {
        living.add(event.actor());
      }
    }
    for (TraceEvent event : trace) {
      if (event.kind() == TraceKind.AGENT && event.detail().equals("has ended")) {
        assertTrue(living.remove(event.actor()), event.actor() + " ends without having begun");
      }
    }
    return living;
  }

  /** Closes the user agent within the timeout; may be called before {@link #close()}. */
  void closeUserAgent() throws Exception {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            userAgent.close();
            closed.complete(null);
          } catch (Throwable failure) {
            closed.completeExceptionally(failure);
          }
        });
    await(closed);
  }

  @Override
  public void close() throws Exception {
    closeUserAgent();
    driver.close();
    assertEquals(Set.of(), agents());
  }
}
