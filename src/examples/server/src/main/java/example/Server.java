package example;

import dev.weblocks.embed.Globals;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.UserAgent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;

/**
 * A server with many contexts, each with the script of a tenant, that run by themselves on few
 * threads and share locks: one engine, one user agent, one executor. Puts them under load and
 * prints how they perform.
 *
 * <pre>
 * mvn package
 * java -jar target/server.jar [CONTEXTS [SECONDS [PAUSE [THREADS]]]]
 * </pre>
 *
 * <p>CONTEXTS is 1,000 by default, SECONDS 60. PAUSE is the average time in milliseconds that a
 * context waits between two requests, 500 by default; with 0, the load is limited by the processors
 * only. THREADS is the size of the pool, by default the number of processors, or {@code virtual}
 * for a virtual thread for each run of turns.
 */
public final class Server {

  private static final String USAGE =
      "java -jar server.jar [CONTEXTS [SECONDS [PAUSE [THREADS|virtual]]]]";

  /** The number of contexts per resource, so that they compete for few resources. */
  private static final int CONTEXTS_OF_RESOURCE = 10;

  private static final int REPORTS = 12;

  private static final Source TENANT =
      Source.newBuilder(
              "js",
              """
              const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
              const pause = () => sleep(2 * Math.random() * tenant.pause());

              async function run() {
                await pause(); // or all would begin at once
                while (tenant.goesOn()) {
                  const resource = Math.floor(Math.random() * tenant.resources());
                  const asked = tenant.now();
                  await navigator.locks.request('resource ' + resource, async () => {
                    tenant.granted(asked);
                    const value = tenant.read(resource);
                    await sleep(1); // without the lock, others would read the same value now
                    tenant.write(resource, value + 1);
                  });
                  await pause();
                }
              }

              run().then(() => tenant.finished(), error => tenant.failed(String(error)));
              """,
              "tenant.js")
          .buildLiteral();

  private final int contexts;
  private final int seconds;
  private final int pause;
  private final ExecutorService turns;
  private final AtomicIntegerArray table;
  private final Latencies latencies = new Latencies();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final CountDownLatch running;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  // in terms of System.nanoTime(); script gets nanoseconds since the start
  private volatile long start;
  private volatile boolean over;

  private Server(int contexts, int seconds, int pause, ExecutorService turns) {
    this.contexts = contexts;
    this.seconds = seconds;
    this.pause = pause;
    this.turns = turns;
    table = new AtomicIntegerArray(Math.max(1, contexts / CONTEXTS_OF_RESOURCE));
    running = new CountDownLatch(contexts);
  }

  /** The view of the server for the script of one context. */
  public final class Tenant {
    private final Context context;
    private final Installation installation;
    private volatile int requests;

    private Tenant(Context context, Installation installation) {
      this.context = context;
      this.installation = installation;
      context.getBindings("js").putMember("tenant", this);
    }

    private void start() {
      installation.execute(() -> context.eval(TENANT));
    }

    @HostAccess.Export
    public boolean goesOn() {
      return !over;
    }

    @HostAccess.Export
    public int pause() {
      return pause;
    }

    @HostAccess.Export
    public int resources() {
      return table.length();
    }

    @HostAccess.Export
    public long now() {
      return System.nanoTime() - start;
    }

    @HostAccess.Export
    public void granted(long asked) {
      latencies.add(now() - asked);
      requests++; // volatile for other readers; a context has one thread at a time
    }

    @HostAccess.Export
    public int read(int resource) {
      return table.get(resource);
    }

    @HostAccess.Export
    public void write(int resource, int value) {
      table.set(resource, value);
    }

    @HostAccess.Export
    public void finished() {
      running.countDown();
    }

    @HostAccess.Export
    public void failed(String error) {
      errors.add(error);
      running.countDown();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Server server;
    try {
      if (arguments.length > 4) {
        throw new IllegalArgumentException("there are " + arguments.length + " arguments");
      }
      int contexts = number(arguments, 0, "CONTEXTS", 1, 1_000);
      int seconds = number(arguments, 1, "SECONDS", 1, 60);
      int pause = number(arguments, 2, "PAUSE", 0, 500);
      ExecutorService turns =
          arguments.length > 3 && arguments[3].equals("virtual")
              ? Executors.newVirtualThreadPerTaskExecutor()
              : Executors.newFixedThreadPool(
                  number(arguments, 3, "THREADS", 1, Runtime.getRuntime().availableProcessors()));
      server = new Server(contexts, seconds, pause, turns);
    } catch (IllegalArgumentException bad) {
      System.err.println("server: " + bad.getMessage() + " (" + USAGE + ")");
      System.exit(2);
      return;
    }
    System.exit(server.run() ? 0 : 1);
  }

  private static int number(String[] arguments, int index, String what, int least, int otherwise) {
    if (index >= arguments.length) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(arguments[index]);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException none) {
      // treated like a number that is too small
    }
    throw new IllegalArgumentException(
        what + " is '" + arguments[index] + "'; use a whole number from " + least);
  }

  private boolean run() throws Exception {
    // Closed from last to first: the engine, which closes the contexts, after all turns.
    try (Engine engine = Engine.create("js");
        ExecutorService executor = turns;
        UserAgent userAgent =
            UserAgent.newBuilder()
                .errorListener(error -> errors.add(error.agent() + ": " + error.message()))
                .build()) {
      long begin = System.nanoTime();
      List<Future<Tenant>> opening = new ArrayList<>();
      for (int i = 0; i < contexts; i++) {
        opening.add(executor.submit(() -> open(engine, userAgent)));
      }
      List<Tenant> tenants = new ArrayList<>();
      for (Future<Tenant> tenant : opening) {
        tenants.add(tenant.get());
      }
      start = System.nanoTime();
      long heap = megabytesAfterCollection();
      print(
          "%,d contexts open in %.1f s: heap %,d MB after collection, %d threads",
          contexts, (start - begin) / 1e9, heap, threads.getThreadCount());
      start = System.nanoTime();
      tenants.forEach(Tenant::start);
      long[] firstHalf = watch();
      over = true;
      double time = (System.nanoTime() - start) / 1e9;
      if (!running.await(2L * pause + 30_000, TimeUnit.MILLISECONDS)) {
        errors.add(running.getCount() + " contexts did not come to an end");
      }
      summarize(tenants, time, firstHalf, heap);
    }
    return errors.isEmpty();
  }

  /** Opens a context, on a thread of the pool, since that takes some milliseconds. */
  private Tenant open(Engine engine, UserAgent userAgent) {
    Context context =
        Context.newBuilder("js")
            .engine(engine)
            .option("js.unhandled-rejections", "handler") // or they would not be reported
            .build();
    Installation installation =
        userAgent.installInto(context).globals(Globals.TIMERS, Globals.LOCKS).install(turns);
    return new Tenant(context, installation);
  }

  private int reports() {
    return Math.min(REPORTS, seconds);
  }

  /** Prints the reports, and returns the counts of the first half of the time. */
  private long[] watch() throws InterruptedException {
    long[] before = latencies.counts();
    long[] firstHalf = before;
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    int reports = reports();
    double lastSecond = 0;
    for (int i = 1; i <= reports; i++) {
      TimeUnit.NANOSECONDS.sleep(start + nanos / reports * i - System.nanoTime());
      long[] now = latencies.counts();
      double second = (System.nanoTime() - start) / 1e9;
      print(
          "%4.0f s: %s; heap %,d MB, %d threads, %d errors",
          second,
          rates(difference(now, before), second - lastSecond),
          megabytes(),
          threads.getThreadCount(),
          errors.size());
      before = now;
      lastSecond = second;
      if (i <= reports / 2) {
        firstHalf = now;
      }
    }
    return firstHalf;
  }

  private void summarize(List<Tenant> tenants, double time, long[] firstHalf, long heapBefore) {
    long[] counts = latencies.counts();
    long requests = LongStream.of(counts).sum();
    long written = IntStream.range(0, table.length()).mapToLong(table::get).sum();
    if (written != requests) {
      errors.add("of " + requests + " additions under a lock " + written + " are left");
    }
    IntSummaryStatistics each =
        tenants.stream().mapToInt(tenant -> tenant.requests).summaryStatistics();
    print("%,d requests for %d locks: %s", requests, table.length(), rates(counts, time));
    long[] secondHalf = difference(counts, firstHalf);
    print(
        "when the JVM is warm, in the second half: %s",
        rates(secondHalf, time * (reports() - reports() / 2) / reports()));
    print("requests of a context: %,d to %,d", each.getMin(), each.getMax());
    print(
        "heap %,d MB after collection, %,d MB before the load; at most %d threads; %d errors",
        megabytesAfterCollection(), heapBefore, threads.getPeakThreadCount(), errors.size());
    errors.stream().limit(10).forEach(error -> print("%s", error));
  }

  private static long[] difference(long[] now, long[] before) {
    return IntStream.range(0, now.length).mapToLong(i -> now[i] - before[i]).toArray();
  }

  /**
   * Returns the requests per second, and the time that they took from request() to the callback.
   */
  private static String rates(long[] counts, double seconds) {
    return String.format(
        Locale.ROOT,
        "%,.0f/s, granted after %.2f ms (p50), %.2f ms (p99)",
        LongStream.of(counts).sum() / seconds,
        Latencies.percentile(counts, 0.5),
        Latencies.percentile(counts, 0.99));
  }

  private static long megabytesAfterCollection() {
    System.gc();
    return megabytes();
  }

  private static long megabytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
