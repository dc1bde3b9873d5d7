package dev.weblocks.explore.trace;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.explore.SharedEnvironment;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.Variant;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A test bed that runs scripts as windows of one user agent and returns their trace. */
final class TraceBed {

  /** Two windows that deadlock in any order. */
  static final List<String> DEADLOCK =
      List.of(
          "navigator.locks.request('a', () => new Promise(r => setTimeout(r, 10)).then(() =>"
              + " navigator.locks.request('b', () => {})))",
          "navigator.locks.request('b', () => new Promise(r => setTimeout(r, 10)).then(() =>"
              + " navigator.locks.request('a', () => {})))");

  /** Shared and exclusive locks, queues, an abort, a steal, a miss, a worker that ends. */
  static final List<String> ALL_SORTS =
      List.of(
          """
          const locks = navigator.locks;
          const held = millis => () => new Promise(r => setTimeout(r, millis));
          locks.request('s', {mode: 'shared'}, held(20));
          locks.request('x', held(1000)).catch(() => {});
          const controller = new AbortController();
          locks.request('s', {signal: controller.signal}, () => {}).catch(() => {});
          locks.request('s', {mode: 'shared'}, held(3));
          locks.request('s', {ifAvailable: true}, () => {});
          setTimeout(() => controller.abort(), 5);
          """,
          """
          const worker = new Worker(URL.createObjectURL(new Blob(
              ["navigator.locks.request('w', () => { postMessage(0); return new Promise(() => {}) })"])));
          worker.onmessage = () => {
            navigator.locks.request('w', () => {});
            setTimeout(() => worker.terminate(), 8);
          };
          setTimeout(() => navigator.locks.request('x', {steal: true}, () => {}), 30);
          navigator.locks.query();
          """);

  /** Scripts of the early draft: overlapping sets of names, an abort, a miss, a forced release. */
  static final List<String> EARLY_DRAFT =
      List.of(
          """
          const {locks} = navigator;
          const held = millis => () => new Promise(r => setTimeout(r, millis));
          locks.acquire('a', held(5));
          locks.acquire('b', held(9));
          locks.acquire(['b', 'a'], held(50)).catch(() => {});
          const controller = new AbortController();
          locks.acquire(['a', 'c'], {signal: controller.signal}, () => {}).catch(() => {});
          locks.acquire('c', {mode: 'shared'}, held(100));
          locks.acquire(['a', 'c', 'd'], {ifAvailable: true}, () => {});
          setTimeout(() => controller.abort(), 12);
          """,
          """
          setTimeout(() => {
            navigator.locks.acquire(['a', 'd'], () => {});
            setTimeout(() => navigator.locks.forceRelease('b'), 3);
          }, 20);
          """);

  static {
    // keeps engine checks of the first realm out of traces
    run(step -> {}, 1, Set.of(), List.of(""), () -> {});
  }

  private TraceBed() {}

  /** Records windows until they are quiescent, under a seed. */
  static void run(Recording recording, long seed, List<String> scripts) {
    run(recording, seed, Set.of(), scripts, recording::close);
  }

  /**
   * Runs windows under a seed.
   *
   * @param variants how locks deviate from the Working Draft
   * @param atRest runs when no work is left and the windows are still open
   */
  private static void run(
      TraceListener listener,
      long seed,
      Set<Variant> variants,
      List<String> scripts,
      Runnable atRest) {
    Map<String, String> pages = new HashMap<>();
    try (DeterministicDriver driver = Driver.deterministic(seed);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .variants(variants)
                .random(new SplittableRandom(seed))
                .lockPositions(true)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(), "text/html", pages.getOrDefault(request.url(), ""))))
                .traceListener(listener)
                .build()) {
      for (String script : scripts) {
        String url = "https://one.test/" + pages.size() + ".html";
        pages.put(url, "<!doctype html><script>" + script + "</script>");
        userAgent.open(url);
      }
      driver.runUntilIdle(1_000_000);
      atRest.run();
    }
  }

  /** Returns the steps of a run. */
  static List<TraceEvent> steps(long seed, List<String> scripts) {
    List<TraceEvent> steps = new ArrayList<>();
    List<TraceEvent> untilRest = new ArrayList<>();
    run(steps::add, seed, Set.of(), scripts, () -> untilRest.addAll(steps));
    return untilRest;
  }

  /** Returns a run, written as one recording. */
  static String written(TraceFormat format, List<String> scripts) throws IOException {
    return written(format, Set.of(), scripts);
  }

  /** Returns a run under variants, written as one recording. */
  static String written(TraceFormat format, Set<Variant> variants, List<String> scripts)
      throws IOException {
    StringWriter text = new StringWriter();
    try (TraceOutput output = new TraceOutput(format, text)) {
      Recording recording = output.record("a test");
      run(recording, 1, variants, scripts, recording::close);
    }
    return text.toString();
  }

  static Timeline timeline(List<String> scripts) {
    return timeline(Set.of(), scripts);
  }

  static Timeline timeline(Set<Variant> variants, List<String> scripts) {
    Map<Long, Recorded.End> ends = new HashMap<>();
    List<TraceEvent> steps = new ArrayList<>();
    List<TraceEvent> untilRest = new ArrayList<>();
    run(
        new TraceListener() {
          @Override
          public void on(TraceEvent event) {
            steps.add(event);
          }

          @Override
          public void ended(long id, Duration time) {
            ends.put(id, new Recorded.End(time.toNanos(), steps.getLast().id()));
          }
        },
        1,
        variants,
        scripts,
        () -> untilRest.addAll(steps));
    return new Timeline(new Recorded("a test", "", Names.PLAIN, untilRest, ends));
  }
}
