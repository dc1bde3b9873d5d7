package dev.weblocks.embed;

import dev.weblocks.agent.DeterministicDriver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A program of scripts under the deterministic driver: windows and worker scripts of one user
 * agent, and what they wrote to the console. The test bed of behaviour tests.
 */
public final class Scenario implements AutoCloseable {

  public static final String ORIGIN = "https://one.test";

  private final Driver driver;
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

  /** One whose user agent deviates from the Working Draft. */
  public Scenario(long seed, Set<Variant> variants) {
    this(seed, SharedEnvironment.ENVIRONMENT, variants);
  }

  Scenario(long seed, UserAgent.Environment environment) {
    this(seed, environment, Set.of());
  }

  private Scenario(long seed, UserAgent.Environment environment, Set<Variant> variants) {
    this(seed, environment, variants, Driver.deterministic(seed));
  }

  /** One in which script may notice that something was collected. */
  public static Scenario withCollector(long seed) {
    return new Scenario(
        seed,
        SharedEnvironment.ENVIRONMENT,
        Set.of(),
        Driver.newDeterministic().seed(seed).collectsGarbage(true).build());
  }

  private Scenario(
      long seed, UserAgent.Environment environment, Set<Variant> variants, Driver driver) {
    this.driver = driver;
    userAgent =
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
            .traceListener(steps::add)
            .build();
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

  /** Makes a resource of the default origin. */
  public Scenario resource(String path, String text) {
    resources.put(ORIGIN + path, text);
    return this;
  }

  /** Makes a resource of the default origin whose response never comes. */
  public Scenario resourceThatHangs(String path) {
    hanging.add(ORIGIN + path);
    return this;
  }

  /** Makes a resource of any origin. */
  public Scenario resourceAt(String url, String text) {
    resources.put(url, text);
    return this;
  }

  /** Makes a response to requests for a URL of any origin. */
  public Scenario response(String url, ResourceResponse response) {
    responses.put(url, response);
    return this;
  }

  /** Lets a function answer before all other responses, where it does. */
  public Scenario server(Function<ResourceRequest, Optional<ResourceResponse>> answer) {
    server = answer;
    return this;
  }

  /** For each request to what hangs, in order: whether it was cancelled. */
  public List<Boolean> cancellations() {
    return hangs.stream().map(CompletableFuture::isCancelled).toList();
  }

  /** All requests so far, in order. */
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

  /** Opens a window that runs a script. */
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

  /** Runs until nothing is left to do; returns all that was written to the console so far. */
  public List<String> run() {
    driver.runUntilQuiescent(5_000_000);
    if (!errors.isEmpty()) {
      throw new AssertionError("uncaught: " + errors);
    }
    return List.copyOf(log);
  }

  /** Runs like {@link #run()}, where uncaught errors are expected. */
  public List<UncaughtError> runForErrors() {
    driver.runUntilQuiescent(5_000_000);
    return List.copyOf(errors);
  }

  /** Runs what happens within some milliseconds of virtual time; uncaught errors stay for later. */
  public Scenario runFor(long millis) {
    ((DeterministicDriver) driver.internal()).runFor(millis * 1_000_000);
    return this;
  }

  /** Runs one turn, if there is anything to do now. */
  public Scenario runTurn() {
    ((DeterministicDriver) driver.internal()).runOne();
    return this;
  }

  /**
   * Runs until nothing is left to do.
   *
   * @throws IllegalStateException if there is work left after that many turns
   */
  public void runSteps(long maxTurns) {
    driver.runUntilQuiescent(maxTurns);
  }

  /** The uncaught errors so far. */
  public List<UncaughtError> errors() {
    return List.copyOf(errors);
  }

  public UserAgent userAgent() {
    return userAgent;
  }

  /** The windows, in order of opening. */
  public Window at(int index) {
    return windows.get(index);
  }

  /** Closes a window, in order of opening from 0. */
  public Scenario closeWindow(int index) {
    windows.get(index).close();
    return this;
  }

  /** The steps so far, in short. */
  public List<String> trace() {
    return steps.stream()
        .map(event -> event.kind() + " " + event.actor() + ": " + event.detail())
        .toList();
  }

  /** The steps so far. */
  public List<TraceEvent> steps() {
    return List.copyOf(steps);
  }

  /** All that was written to the console so far. */
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

  /** Runs one script in one window; returns what it wrote to the console. */
  public static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.window(script).run();
    }
  }
}
