package dev.weblocks.harness.stress;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.Metrics;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.Limits;
import dev.weblocks.model.LockEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A long run with a random mix of windows, workers, frames, ports, channels, steals, aborts,
 * navigations, memory pressure and kills. It checks that the scripts always make progress, and that
 * the process uses no more at the end than at the start.
 */
public final class SoakRun {

  /** The number of samples while windows are open. */
  private static final int SAMPLES = 6;

  /** The warm-up, in finished actions; caches of the engine and the JVM fill in it. */
  private static final int WARM_UP_ACTIONS = 200;

  /** The longest time without a finished action, and the longest end of a window. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** As for scripts, but with time for a machine that is busy with other things. */
  private static final Limits LIMITS = Limits.newBuilder().endLimit(Duration.ofSeconds(30)).build();

  /** The longest pause between two kills. */
  private static final int PAUSE_MILLIS = 500;

  private static final int MAX_COMPLAINTS = 20;

  /**
   * The settings of a run.
   *
   * @param time the duration after the warm-up, positive
   * @param windows how many windows are open at once, at least 1
   * @param threads of the driver, at least 1
   * @param seed decides what windows do, and which is closed next
   */
  public record Settings(Duration time, int windows, int threads, long seed) {}

  /**
   * A sample of the process.
   *
   * @param at since the beginning of the run
   * @param windows the number of open windows; 0 for the first and the last sample
   * @param agents the number of agents that have not ended
   * @param heapBytes bytes in use after a garbage collection
   * @param threads the number of live threads
   * @param files the number of open files and sockets; -1 if the JVM does not provide it
   * @param locks the number of held locks and waiting requests
   * @param realms the number of reachable JavaScript realms; -1 if unknown
   * @param actions the number of finished actions of all windows
   * @param kills the number of closed windows
   */
  public record Sample(
      Duration at,
      int windows,
      int agents,
      long heapBytes,
      int threads,
      long files,
      int locks,
      int realms,
      long actions,
      long kills) {}

  /**
   * The result of a run.
   *
   * @param samples in order; no window is open in the first and in the last one
   * @param complaints problems during the run, empty if there was none
   * @param locks held locks and waiting requests at the first complaint
   */
  public record Report(
      List<Sample> samples, RealmCount realms, List<String> complaints, List<LockEntry> locks) {}

  /** A listener for progress, called on the thread of the run. */
  public interface Listener {
    /** Called before the first window opens, with a source of the current locks. */
    void began(Supplier<List<LockEntry>> locks);

    void sampled(Sample sample);
  }

  private final Settings settings;
  private final Listener listener;
  private final SplittableRandom random;
  private final long start = System.nanoTime();
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
  private final AtomicLong actions = new AtomicLong();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Window> windows = new ArrayList<>();
  private final String page =
      "<!doctype html><body><script>" + resource("soak-page.js") + "</script>";
  private final String worker = resource("soak-worker.js");
  private List<LockEntry> locks = List.of();
  private long kills;
  private long lastActions = -1;
  private long lastProgress = start;

  private SoakRun(Settings settings, Listener listener) {
    this.settings = settings;
    this.listener = listener;
    this.random = new SplittableRandom(settings.seed());
  }

  /** Carries out a run; it stops early after a complaint. */
  public static Report run(Settings settings, Environment environment, Listener listener) {
    SoakRun run = new SoakRun(settings, listener);
    RealmCount.Around<Boolean> done = RealmCount.around(() -> run.run(environment));
    return new Report(
        List.copyOf(run.samples), done.realms(), List.copyOf(run.complaints), run.locks);
  }

  private boolean run(Environment environment) {
    try (Driver driver = Driver.threadPool(settings.threads());
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .random(new SplittableRandom(settings.seed()))
                .limits(LIMITS)
                .resourceLoader(this::load)
                .consoleListener(this::receive)
                .errorListener(error -> complain("uncaught: " + error.message()))
                .build()) {
      listener.began(userAgent::locks);
      mixWhile(() -> actions.get() < WARM_UP_ACTIONS, userAgent);
      sampleWithoutWindows(userAgent);
      long begin = System.nanoTime();
      for (int i = 1; i <= SAMPLES; i++) {
        long nanos = settings.time().multipliedBy(i).dividedBy(SAMPLES).toNanos();
        mixWhile(() -> System.nanoTime() - begin < nanos, userAgent);
        sample(userAgent);
      }
      sampleWithoutWindows(userAgent);
    }
    return true;
  }

  /** Keeps the windows open, and replaces a random one again and again. */
  private void mixWhile(BooleanSupplier condition, UserAgent userAgent) {
    while (condition.getAsBoolean() && complaints.isEmpty()) {
      while (windows.size() < settings.windows()) {
        windows.add(userAgent.open("https://soak.test/page?" + random.nextInt(1_000_000)));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(PAUSE_MILLIS)));
      close(windows.remove(random.nextInt(windows.size())), userAgent);
      checkProgress(userAgent);
    }
  }

  private void close(Window window, UserAgent userAgent) {
    window.close();
    kills++;
    try {
      window.ended().get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      complain("interrupted");
    } catch (ExecutionException | TimeoutException e) {
      complain(window.name() + " has not ended: " + e);
      keepLocks(userAgent);
    }
  }

  private void checkProgress(UserAgent userAgent) {
    long now = System.nanoTime();
    if (actions.get() != lastActions) {
      lastActions = actions.get();
      lastProgress = now;
    } else if (now - lastProgress > PATIENCE_NANOS) {
      complain("no window has finished an action for a minute");
      keepLocks(userAgent);
    }
  }

  private void keepLocks(UserAgent userAgent) {
    if (locks.isEmpty()) {
      locks = userAgent.locks();
    }
  }

  private void sampleWithoutWindows(UserAgent userAgent) {
    while (!windows.isEmpty()) {
      close(windows.removeLast(), userAgent);
    }
    // threads and sockets that are not needed any more end after a while
    Sample before = samples.isEmpty() ? null : samples.getFirst();
    Sample now = take(userAgent);
    for (int i = 0; i < 50 && before != null && isMore(now, before); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      now = take(userAgent);
    }
    add(now);
  }

  private static boolean isMore(Sample now, Sample before) {
    return now.threads() > before.threads()
        || now.files() > before.files()
        || now.agents() > 0
        || now.locks() > 0;
  }

  private void sample(UserAgent userAgent) {
    if (complaints.isEmpty()) {
      add(take(userAgent));
    }
  }

  private void add(Sample sample) {
    samples.add(sample);
    listener.sampled(sample);
  }

  private Sample take(UserAgent userAgent) {
    KillReport.Sample process = Vitals.sample(0, windows.size());
    Metrics metrics = userAgent.metrics();
    return new Sample(
        Duration.ofNanos(System.nanoTime() - start),
        windows.size(),
        metrics.agents(),
        process.heapBytes(),
        process.threads(),
        Vitals.openFiles(),
        metrics.held() + metrics.pending(),
        process.realms(),
        actions.get(),
        kills);
  }

  private void receive(ConsoleMessage message) {
    if (message.text().equals(".")) {
      actions.incrementAndGet();
    } else {
      complain(message.text());
    }
  }

  private void complain(String complaint) {
    if (complaints.size() < MAX_COMPLAINTS) {
      complaints.add(complaint);
    }
  }

  private CompletionStage<ResourceResponse> load(ResourceRequest request) {
    String url = request.url();
    ResourceResponse response =
        url.contains("/worker.js")
            ? ResourceResponse.of(url, "text/javascript", worker)
            : url.contains("/page?")
                ? ResourceResponse.of(url, "text/html", page)
                : ResourceResponse.of(
                    url,
                    "text/html",
                    "<script>navigator.locks.request('lock-0', { ifAvailable: true },"
                        + " () => new Promise(() => {})).catch(() => {})</script>");
    return CompletableFuture.completedFuture(response);
  }

  private static String resource(String name) {
    try (InputStream in = SoakRun.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the jar; use a complete jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
