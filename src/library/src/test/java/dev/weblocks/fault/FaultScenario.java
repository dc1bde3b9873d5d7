package dev.weblocks.fault;

import dev.weblocks.embed.CallerDrivenDriver;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.LockClientOptions;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/**
 * Uses locks, messages, workers, storage and timers in several agents while a fault is injected,
 * and returns the violations of the invariant. {@link FaultyClasses} loads this class, so it uses
 * the instrumented library.
 */
public final class FaultScenario implements Function<String, List<String>>, AutoCloseable {

  /** A time that only a hang reaches. */
  private static final long LIMIT_SECONDS = 10;

  private static final String ORIGIN = "https://one.test";

  private static final String NAMES = "['x', 'y', 'z', 'f', 'w', 'h']";

  private static final String COMMON =
      """
      let open = 0;
      const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
      const use = (name, options, callback) => {
        open++;
        const over = () => { open--; };
        try {
          navigator.locks.request(name, options, callback).then(over, over);
        } catch {
          over();
        }
      };
      const attempt = steps => { try { steps(); } catch {} };
      """;

  private static final String PAGE_A =
      COMMON
          + """
          use('x', {}, () => pause(3));
          use('x', { mode: 'shared' }, () => pause(1));
          use('x', { mode: 'shared' }, () => {});
          use('y', { ifAvailable: true }, () => pause(2));
          use('y', { ifAvailable: true }, () => pause(2));
          use('z', {}, () => {});
          const controller = new AbortController();
          use('x', { signal: controller.signal }, () => pause(1));
          attempt(() => setTimeout(() => controller.abort(), 1));
          attempt(() => setTimeout(() => use('x', { steal: true }, () => pause(1)), 4));
          attempt(() => navigator.locks.query().catch(() => {}));
          attempt(() => localStorage.setItem('a', String(performance.now())));
          attempt(() => new BroadcastChannel('b').postMessage({ text: 'from a' }));
          attempt(() => {
            const worker = new Worker('worker.js');
            worker.onmessage = () => use('w', {}, () => { worker.terminate(); });
            worker.postMessage([1, 2, 3]);
          });
          """;

  private static final String PAGE_B =
      COMMON
          + """
          attempt(() => { onstorage = () => use('y', {}, () => {}); });
          attempt(() => {
            new BroadcastChannel('b').onmessage = () => use('y', { mode: 'shared' }, () => pause(1));
          });
          attempt(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => use('x', {}, () => {});
            port2.postMessage('text');
          });
          use('x', {}, () => pause(1));
          use('f', {}, () => pause(1));
          attempt(() => {
            const frame = document.body.appendChild(document.createElement('iframe'));
            frame.contentWindow.navigator.locks.request('f', () => new Promise(() => {}))
              .catch(() => {});
            try {
              setTimeout(() => frame.remove(), 2);
            } catch {
              frame.remove();
            }
          });
          """;

  private static final String PAGE_C =
      COMMON
          + """
          navigator.locks.request('z', () => new Promise(() => {})).catch(() => {});
          navigator.locks.request('x', () => new Promise(() => {})).catch(() => {});
          """;

  private static final String WORKER =
      COMMON
          + """
          onmessage = () => use('w', {}, () => pause(1).then(() => postMessage('done')));
          use('x', { mode: 'shared' }, () => pause(1));
          """;

  private static final String LAST =
      """
      Promise.all(%s.map(name => navigator.locks.request(name, () => name)))
        .then(names => console.log('last: ' + names.length));
      """
          .formatted(NAMES);

  private static final String INSTALLED =
      """
      navigator.locks.request('x', () => new Promise(resolve => setTimeout(resolve, 1)))
        .catch(() => {});
      navigator.locks.request('h', () => {}).catch(() => {});
      """;

  private static final Map<String, String> SCRIPTS =
      Map.of("/a", PAGE_A, "/b", PAGE_B, "/c", PAGE_C, "/last", LAST);

  private final Environment environment = Environment.create();
  private final Engine engine =
      Engine.newBuilder().option("engine.WarnInterpreterOnly", "false").build();

  @Override
  public List<String> apply(String driver) {
    Run run = new Run(driver);
    try {
      FaultPoints.start();
      try {
        run.play();
      } finally {
        FaultPoints.end();
      }
      run.check();
    } catch (Throwable failure) { // the report names it
      run.violated("the scenario failed", failure);
    } finally {
      FaultPoints.end();
      run.cleanUp();
    }
    return List.copyOf(run.violations);
  }

  @Override
  public void close() {
    environment.close();
    engine.close();
  }

  /** One run: a user agent on a driver of its own. */
  private final class Run {
    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> console = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> submitted = new ConcurrentLinkedQueue<>();
    private final Semaphore work = new Semaphore(0);
    private final Driver driver;
    private final UserAgent userAgent;
    private final @Nullable ExecutorService threads;
    private final Map<String, Window> windows = new LinkedHashMap<>();
    private @Nullable LockClient client;
    private @Nullable Installation installation;
    private @Nullable Context context;

    Run(String kind) {
      driver =
          switch (kind) {
            case "caller" ->
                Driver.callerDriven(() -> {
                  work.release();
                  FaultPoints.embedder("onWork");
                });
            case "pool" -> Driver.threadPool(3);
            default -> Driver.deterministic(1);
          };
      threads =
          kind.equals("pool")
              ? Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory())
              : null;
      UserAgent.Builder builder =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(environment)
              .random(new SplittableRandom(1))
              .resourceLoader(this::load)
              .consoleListener(
                  new ConsoleListener() {
                    @Override
                    public void message(ConsoleMessage message) {
                      console.add(message.text());
                      FaultPoints.embedder("console listener");
                    }
                  })
              .errorListener(error -> {
                errors.add(error.kind() + " " + error.message());
                FaultPoints.embedder("error listener");
              });
      if (!kind.equals("deterministic")) {
        builder
            .lockWatchdog(
                Duration.ofMillis(1), report -> FaultPoints.embedder("lock watchdog listener"))
            .lockListener(
                new LockListener() {
                  @Override
                  public void requested(LockEvent event) {
                    FaultPoints.embedder("lock listener, requested");
                  }

                  @Override
                  public void granted(LockEvent event) {
                    FaultPoints.embedder("lock listener, granted");
                  }

                  @Override
                  public void released(LockEvent event) {
                    FaultPoints.embedder("lock listener, released");
                  }

                  @Override
                  public void stolen(LockEvent event) {
                    FaultPoints.embedder("lock listener, stolen");
                  }

                  @Override
                  public void aborted(LockEvent event) {
                    FaultPoints.embedder("lock listener, aborted");
                  }
                });
      }
      if (kind.equals("traced")) {
        TraceListener listener = event -> FaultPoints.embedder("trace listener");
        builder.traceListener(listener);
      }
      userAgent = builder.build();
    }

    private CompletionStage<ResourceResponse> load(ResourceRequest request) {
      FaultPoints.embedder("resource loader");
      String path = request.url().substring(ORIGIN.length());
      String script = SCRIPTS.get(path);
      return CompletableFuture.completedFuture(
          path.equals("/worker.js")
              ? ResourceResponse.of(request.url(), "text/javascript", WORKER)
              : ResourceResponse.of(
                  request.url(), "text/html", "<body><script>" + script + "</script>"));
    }

    private void execute(String place, Runnable code) {
      FaultPoints.embedder(place);
      if (threads != null) {
        threads.execute(code);
      } else {
        submitted.add(code);
        work.release();
      }
    }

    void violated(String what, Throwable failure) {
      StringBuilder text = new StringBuilder(what).append(": ").append(failure);
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        StackTraceElement[] frames = cause.getStackTrace();
        for (int i = 0; i < Math.min(12, frames.length); i++) {
          text.append("\n        at ").append(frames[i]);
        }
        text.append("\n      caused by ").append(cause.getCause());
      }
      violations.add(text.toString());
    }

    /** Calls the library as an embedder that survives the fault. */
    private <T> @Nullable T attempt(Callable<T> call) {
      for (int i = 0; i < 3; i++) {
        try {
          return call.call();
        } catch (TimeoutException hangs) {
          violated("the user agent does not come to rest", hangs);
          return null;
        } catch (Throwable injected) {
          // the embedder tries again
        }
      }
      return null;
    }

    private void open(String path) {
      Window window = attempt(() -> userAgent.open(ORIGIN + path));
      if (window != null) {
        windows.put(path, window);
        attempt(() ->
            window.ended().thenRun(() -> FaultPoints.embedder("dependent of Window.ended()")));
        attempt(() ->
            window
                .loaded()
                .whenComplete(
                    (none, failure) -> FaultPoints.embedder("dependent of Window.loaded()")));
      }
    }

    void play() {
      open("/c");
      open("/b");
      open("/a");
      attempt(() -> pump(60));
      if (!(driver instanceof DeterministicDriver)) {
        attempt(() -> {
          Context made = Context.newBuilder("js").engine(engine).build();
          context = made;
          Installation installed =
              userAgent
                  .installInto(made)
                  .origin(ORIGIN)
                  .install((Executor) code -> execute("executor of an installation", code));
          installation = installed;
          return installed.submit(() -> made.eval("js", INSTALLED).isNull());
        });
      }
      attempt(() -> {
        LockClient opened =
            userAgent.openLockClient(
                LockClientOptions.newBuilder(ORIGIN)
                    .executor(code -> execute("executor of a lock client", code))
                    .build());
        client = opened;
        return opened;
      });
      LockClient locks = client;
      if (locks != null) {
        attempt(() -> locks.request("x").thenAccept(this::giveBack));
        attempt(
            () -> locks.requestIfAvailable("h").thenAccept(held -> held.ifPresent(this::giveBack)));
        attempt(() -> locks.steal("h").thenAccept(this::giveBack));
        attempt(locks::query);
      }
      attempt(() -> pump(100));
      Window holder = windows.get("/c");
      if (holder != null) {
        attempt(() -> {
          holder.close();
          return true;
        });
      }
      attempt(() -> pump(Long.MAX_VALUE));
    }

    private void giveBack(HeldLock held) {
      FaultPoints.embedder("dependent of LockClient.request()");
      CompletableFuture<Void> unused = held.release();
    }

    /** Runs until everything is idle, or a deterministic driver for so many turns. */
    private boolean pump(long turns) throws Exception {
      switch (driver) {
        case DeterministicDriver deterministic -> {
          do {
            for (long i = 0; i < Math.min(turns, 100_000); i++) {
              if (!deterministic.runOne()) {
                break;
              }
            }
            if (turns == Long.MAX_VALUE) {
              deterministic.runUntilIdle(100_000);
            }
          } while (runSubmitted());
        }
        case CallerDrivenDriver caller -> {
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
          long left = turns;
          while (left > 0) {
            if (runSubmitted() || caller.runOne()) {
              left--;
              continue;
            }
            if (turns != Long.MAX_VALUE || userAgent.quiescent().isDone()) {
              return true;
            }
            if (System.nanoTime() > end) {
              throw new TimeoutException("not quiescent after " + LIMIT_SECONDS + " s");
            }
            long nanos = caller.untilNextTimer().map(Duration::toNanos).orElse(10_000_000L);
            boolean unused = work.tryAcquire(Math.min(nanos, 10_000_000L), TimeUnit.NANOSECONDS);
          }
        }
        default -> {
          if (turns == Long.MAX_VALUE) {
            await(userAgent.quiescent());
          }
        }
      }
      return true;
    }

    private boolean runSubmitted() {
      boolean ran = false;
      for (Runnable next = submitted.poll(); next != null; next = submitted.poll()) {
        ran = true;
        try {
          next.run();
        } catch (RuntimeException | Error failure) {
          // as a thread of an executor
        }
      }
      return ran;
    }

    private static <T> T await(CompletionStage<T> stage)
        throws InterruptedException, ExecutionException, TimeoutException {
      return stage.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private boolean settle(String what) {
      try {
        return pump(Long.MAX_VALUE);
      } catch (Throwable failure) {
        violated(what, failure);
        return false;
      }
    }

    private void checkLast() throws Exception {
      console.clear();
      windows.put("/last", userAgent.open(ORIGIN + "/last"));
      settle("the last window does not come to rest");
      if (!console.contains("last: 6")) {
        violations.add("another agent does not get all locks: " + console + errors);
      }
    }

    void check() throws Exception {
      if (!violations.isEmpty() || !settle("the user agent does not come to rest")) {
        return;
      }
      Window holder = windows.remove("/c");
      if (holder != null) {
        holder.close();
      }
      if (client != null) {
        client.close();
      }
      settle("closing a holder does not come to rest");
      for (LockEntry entry : userAgent.locks()) {
        violations.add(
            (entry.place() == 0 ? "lock '" : "request for '")
                + entry.name()
                + "' of "
                + entry.agent()
                + " is left at rest");
      }
      if (!userAgent.quiescent().isDone()) {
        violations.add("the count of activities is not zero at rest");
      }
      Map<String, CompletableFuture<?>> probes = new LinkedHashMap<>();
      windows.forEach((path, window) -> probes.put(path, window.evaluate("String(open)")));
      if (installation != null && context != null && !installation.isClosed()) {
        Context entered = context;
        probes.put("installation", installation.submit(() -> entered.eval("js", "'0'").asString()));
      }
      settle("probes do not come to rest");
      if (errors.stream().noneMatch(error -> error.contains("so the user agent ends"))) {
        probes.forEach(this::checkProbe);
        checkLast();
      }
      close();
      for (Map.Entry<String, Window> each : windows.entrySet()) {
        try {
          Object unused = await(each.getValue().ended());
        } catch (TimeoutException hangs) {
          violations.add("ended() of " + each.getKey() + " is not complete after close()");
        }
      }
    }

    private void checkProbe(String path, CompletableFuture<?> probe) {
      Window window = windows.get(path);
      boolean ended = window == null ? isInstallationClosed() : window.ended().isDone();
      if (!probe.isDone()) {
        violations.add(path + " does not run a task, and has " + (ended ? "" : "not ") + "ended");
        return;
      }
      if (probe.isCompletedExceptionally()) {
        String why = String.valueOf(probe.exceptionNow());
        if (!ended && !why.contains("open is not defined") && !why.contains("no document yet")) {
          violations.add(path + " fails: " + why + " " + errors);
        }
        return;
      }
      String value = String.valueOf(probe.resultNow());
      if (!value.contains("0")
          && !value.contains("function")) { // the page was not loaded: it is window.open()
        violations.add(path + " waits for " + value + " requests that are lost; " + errors);
      }
    }

    private boolean isInstallationClosed() {
      return installation != null && installation.isClosed();
    }

    private void close() throws Exception {
      if (installation != null) {
        installation.close();
      }
      if (driver instanceof DeterministicDriver) {
        userAgent.close();
      } else {
        CompletableFuture<Void> closed = CompletableFuture.runAsync(userAgent::close);
        await(closed);
      }
      driver.close();
    }

    void cleanUp() {
      if (threads != null) {
        threads.shutdown();
      }
      if (context != null) {
        attempt(() -> {
          context.close(true);
          return true;
        });
      }
    }
  }
}
