package dev.weblocks.bench;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a platform object, compared with an equivalent class in plain JavaScript without a
 * binding. One invocation is one task of the page, which runs the operation {@value #BATCH} times.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class BindingBenchmark {

  static final int BATCH = 1000;

  /** The measured implementation. */
  @Param({"weblocks", "plain"})
  public String implementation = "weblocks";

  private DeterministicDriver driver;
  private UserAgent userAgent;

  private static final String PLAIN =
      """
      class PlainLock {
        #name;
        #mode;
        constructor(name, mode) { this.#name = name; this.#mode = mode; }
        get name() { return this.#name; }
        get mode() { return this.#mode; }
      }
      class PlainLockManager {
        #held = [];
        #pending = [];
        hold(name) { this.#held.push({ name, mode: 'exclusive', clientId: 'c' }); }
        async query() {
          const copy = ({ name, mode, clientId }) => ({ name, mode, clientId });
          return { held: this.#held.map(copy), pending: this.#pending.map(copy) };
        }
      }
      class PlainEventTarget {
        #listeners = [];
        addEventListener(type, callback, options) {
          type = String(type);
          if (callback !== null && typeof callback !== 'object' && typeof callback !== 'function') {
            throw new TypeError('the callback is no object');
          }
          const flat = typeof options === 'boolean' ? { capture: options } : (options ?? {});
          const capture = Boolean(flat.capture);
          const once = Boolean(flat.once);
          const passive = flat.passive === undefined ? null : Boolean(flat.passive);
          if (callback === null) {
            return;
          }
          for (const listener of this.#listeners) {
            if (listener.type === type && listener.callback === callback && listener.capture === capture) {
              return;
            }
          }
          this.#listeners.push({ type, callback, capture, once, passive, removed: false });
        }
      }
      class PlainAbortSignal extends PlainEventTarget {
        #aborted = false;
        #reason = undefined;
        get aborted() { return this.#aborted; }
        get reason() { return this.#reason; }
      }
      class PlainAbortController {
        #signal = new PlainAbortSignal();
        get signal() { return this.#signal; }
      }
      """;

  private static final String OPERATIONS =
      """
      globalThis.operations = {
        lockName(n) { let sum = 0; for (let i = 0; i < n; i++) sum += subject.lock.name.length; return sum; },
        async query(n) { for (let i = 0; i < n; i++) await subject.locks.query(); },
        newAbortController(n) { const C = subject.AbortController; for (let i = 0; i < n; i++) new C(); },
        addEventListener(n) {
          const target = new subject.EventTarget();
          const listener = () => {};
          for (let i = 0; i < n; i++) target.addEventListener('x', listener);
        },
        addEventListenerWithOptions(n) {
          const target = new subject.EventTarget();
          const listener = () => {};
          for (let i = 0; i < n; i++) target.addEventListener('x', listener, { once: true, passive: true });
        },
      };
      (async () => {
        while (true) {
          const { name, count } = await (await fetch('/next')).json();
          await operations[name](count);
        }
      })();
      """;

  private static final String WEBLOCKS =
      """
      globalThis.subject = { locks: navigator.locks, AbortController, EventTarget };
      navigator.locks.request('measured', (lock) => {
        subject.lock = lock;
        return new Promise(() => {});
      });
      """;

  private static final String IN_JAVASCRIPT =
      PLAIN
          + """
          const plainLocks = new PlainLockManager();
          plainLocks.hold('measured');
          globalThis.subject = {
            locks: plainLocks,
            lock: new PlainLock('measured', 'exclusive'),
            AbortController: PlainAbortController,
            EventTarget: PlainEventTarget,
          };
          """;

  /** The pending request by which the page fetches its next command. */
  private CompletableFuture<ResourceResponse> next = new CompletableFuture<>();

  private String page() {
    return "<!doctype html><script>"
        + (implementation.equals("weblocks") ? WEBLOCKS : IN_JAVASCRIPT)
        + "</script><script>"
        + OPERATIONS
        + "</script>";
  }

  private CompletableFuture<ResourceResponse> load(ResourceRequest request) {
    if (request.url().endsWith("/next")) {
      next = new CompletableFuture<>();
      return next;
    }
    return CompletableFuture.completedFuture(
        ResourceResponse.of(request.url(), "text/html", page()));
  }

  @Setup(Level.Trial)
  public void open() {
    driver = Driver.deterministic(1);
    userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .resourceLoader(this::load)
            .errorListener(error -> {
              throw new IllegalStateException(error.message());
            })
            .build();
    userAgent.open("https://bench.test/");
    driver.runUntilIdle(10_000);
  }

  @TearDown(Level.Trial)
  public void close() {
    userAgent.close();
    driver.close();
  }

  private void run(String operation) {
    CompletableFuture<ResourceResponse> asked = next;
    asked.complete(
        ResourceResponse.of(
            "https://bench.test/next",
            "application/json",
            "{\"name\":\"" + operation + "\",\"count\":" + BATCH + "}"));
    driver.runUntilIdle(100_000_000);
    if (next == asked) {
      throw new IllegalStateException("the page did not come back from " + operation);
    }
  }

  /** {@code lock.name}: an attribute getter. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void lockName() {
    run("lockName");
  }

  /** {@code await navigator.locks.query()}: a promise and a snapshot of one lock. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void query() {
    run("query");
  }

  /** {@code new AbortController()}: a constructor, and an object of a second interface. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void newAbortController() {
    run("newAbortController");
  }

  /** {@code addEventListener(type, callback)} of a listener that was already added. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void addEventListener() {
    run("addEventListener");
  }

  /** {@code addEventListener(type, callback, options)}: a dictionary of four members. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void addEventListenerWithOptions() {
    run("addEventListenerWithOptions");
  }
}
