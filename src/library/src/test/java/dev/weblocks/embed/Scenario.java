package dev.weblocks.embed;

import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.ModuleResolver;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The test bed of behaviour tests: windows and workers of one user agent under the deterministic
 * driver, with their console messages.
 */
public final class Scenario implements AutoCloseable {

  public static final String ORIGIN = "https://one.test";

  private final DeterministicDriver driver;
  private final UserAgent userAgent;
  private final Map<String, String> resources = new HashMap<>();
  private final Map<String, ResourceResponse> responses = new HashMap<>();
  private Function<ResourceRequest, Optional<ResourceResponse>> server = any -> Optional.empty();
  private final List<ResourceRequest> requests = new ArrayList<>();
  private final Set<String> hanging = new HashSet<>();
  private final List<CompletableFuture<ResourceResponse>> hangs = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final List<ConsoleMessage> messages = new ArrayList<>();
  private final List<TraceEvent> steps = new ArrayList<>();
  private final List<UncaughtError> errors = new ArrayList<>();
  private final List<Window> windows = new ArrayList<>();

  public Scenario(long seed) {
    this(seed, SharedEnvironment.ENVIRONMENT);
  }

  /** Creates a scenario whose user agent deviates from the Working Draft. */
  public Scenario(long seed, Set<Variant> variants) {
    this(seed, SharedEnvironment.ENVIRONMENT, variants);
  }

  Scenario(long seed, Environment environment) {
    this(seed, environment, Set.of());
  }

  private Scenario(long seed, Environment environment, Set<Variant> variants) {
    this(seed, environment, variants, Driver.deterministic(seed), builder -> {});
  }

  /** Creates a scenario in which garbage collection is observable by script. */
  public static Scenario withCollector(long seed) {
    return new Scenario(
        seed,
        SharedEnvironment.ENVIRONMENT,
        Set.of(),
        DeterministicDriver.newBuilder().seed(seed).collectsGarbage(true).build(),
        builder -> {});
  }

  static Scenario withResolver(long seed, ModuleResolver resolver) {
    return new Scenario(
        seed,
        SharedEnvironment.ENVIRONMENT,
        Set.of(),
        Driver.deterministic(seed),
        builder -> builder.moduleResolver(resolver));
  }

  private Scenario(
      long seed,
      Environment environment,
      Set<Variant> variants,
      DeterministicDriver driver,
      Consumer<UserAgent.Builder> more) {
    this.driver = driver;
    UserAgent.Builder builder =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(environment)
            .variants(variants)
            .random(new SplittableRandom(seed))
            .resourceLoader(this::load)
            .consoleListener(message -> {
              log.add(message.text());
              messages.add(message);
            })
            .errorListener(errors::add)
            .traceListener(steps::add);
    more.accept(builder);
    userAgent = builder.build();
  }

  private CompletableFuture<ResourceResponse> load(ResourceRequest request) {
    requests.add(request);
    if (hanging.contains(request.url())) {
      CompletableFuture<ResourceResponse> never = new CompletableFuture<>();
      hangs.add(never);
      return never;
    }
    ResourceResponse response = server.apply(request).orElseGet(() -> responses.get(request.url()));
    if (response != null) {
      return CompletableFuture.completedFuture(response);
    }
    String text = resources.get(request.url());
    return CompletableFuture.completedFuture(
        text == null
            ? new ResourceResponse(request.url(), 404, "Not Found", List.of(), new byte[0])
            : ResourceResponse.of(
                request.url(),
                request.url().replaceFirst("[?].*", "").endsWith(".js")
                    ? "text/javascript"
                    : "text/html",
                text));
  }

  /** Adds a resource of the default origin. */
  public Scenario resource(String path, String text) {
    resources.put(ORIGIN + path, text);
    return this;
  }

  /** Adds a resource of the default origin whose response never arrives. */
  public Scenario resourceThatHangs(String path) {
    hanging.add(ORIGIN + path);
    return this;
  }

  /** Adds a resource of any origin. */
  public Scenario resourceAt(String url, String text) {
    resources.put(url, text);
    return this;
  }

  /** Adds a response to requests for a URL of any origin. */
  public Scenario response(String url, ResourceResponse response) {
    responses.put(url, response);
    return this;
  }

  /** Sets a function whose responses, where it returns one, take precedence over all others. */
  public Scenario server(Function<ResourceRequest, Optional<ResourceResponse>> answer) {
    server = answer;
    return this;
  }

  /** Returns for each request for a hanging resource, in order, whether it was cancelled. */
  public List<Boolean> cancellations() {
    return hangs.stream().map(CompletableFuture::isCancelled).toList();
  }

  /** Returns all requests so far, in order. */
  public List<ResourceRequest> requests() {
    return List.copyOf(requests);
  }

  /** Opens a window of the default origin that runs a script. */
  public Scenario window(String script) {
    return windowAt(ORIGIN, script);
  }

  /** Opens a window of a resource of the default origin. */
  public Scenario open(String path) {
    windows.add(userAgent.open(ORIGIN + path));
    return this;
  }

  /** Opens a window of an origin that runs a script. */
  public Scenario windowAt(String origin, String script) {
    String url = origin + "/window-" + windows.size() + ".html";
    resources.put(url, "<!doctype html><title>window</title><script>" + script + "</script>");
    windows.add(userAgent.open(url));
    return this;
  }

  /** Opens a window of any URL. */
  public Scenario windowAtUrl(String url) {
    windows.add(userAgent.open(url));
    return this;
  }

  public Scenario stopIdleServiceWorkers() {
    userAgent.stopIdleServiceWorkers();
    return this;
  }

  public Scenario stopServiceWorkers() {
    userAgent.stopServiceWorkers();
    return this;
  }

  /** Runs until no work is left; returns all console messages so far. */
  public List<String> run() {
    driver.runUntilIdle(5_000_000);
    if (!errors.isEmpty()) {
      throw new AssertionError("uncaught: " + errors);
    }
    return List.copyOf(log);
  }

  /** Runs until no work is left; returns all uncaught errors so far. */
  public List<UncaughtError> runForErrors() {
    driver.runUntilIdle(5_000_000);
    return List.copyOf(errors);
  }

  /** Runs for some milliseconds of virtual time; does not check for uncaught errors. */
  public Scenario runFor(long millis) {
    ((dev.weblocks.agent.DeterministicDriver) driver.internal()).runFor(millis * 1_000_000);
    return this;
  }

  /** Runs one turn if there is work now. */
  public Scenario runTurn() {
    ((dev.weblocks.agent.DeterministicDriver) driver.internal()).runOne();
    return this;
  }

  /**
   * Runs until no work is left.
   *
   * @throws IllegalStateException if work is left after that many turns
   */
  public void runSteps(long maxTurns) {
    driver.runUntilIdle(maxTurns);
  }

  /** Returns the uncaught errors so far. */
  public List<UncaughtError> errors() {
    return List.copyOf(errors);
  }

  public UserAgent userAgent() {
    return userAgent;
  }

  /** Returns a window, in order of opening from 0. */
  public Window at(int index) {
    return windows.get(index);
  }

  /** Closes a window, in order of opening from 0. */
  public Scenario closeWindow(int index) {
    windows.get(index).close();
    return this;
  }

  /** Returns the steps so far as short texts. */
  public List<String> trace() {
    return steps.stream()
        .map(event -> event.kind() + " " + event.actor() + ": " + event.detail())
        .toList();
  }

  /** Returns the steps so far. */
  public List<TraceEvent> steps() {
    return List.copyOf(steps);
  }

  /** Returns all console messages so far. */
  public List<ConsoleMessage> messages() {
    return List.copyOf(messages);
  }

  public List<String> log() {
    return List.copyOf(log);
  }

  @Override
  public void close() {
    userAgent.close();
    driver.close();
  }

  /** Runs one script in one window; returns its console messages. */
  public static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.window(script).run();
    }
  }
}
