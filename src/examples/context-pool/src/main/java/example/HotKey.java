package example;

import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;

/**
 * A pool of contexts in which many tasks have the same key, and exclude each other by its lock.
 * Compares two orders: a task takes a context, in which script requests the lock; or a task has the
 * lock before it takes a context.
 *
 * <pre>
 * mvn package
 * java -jar target/context-pool.jar
 * </pre>
 */
public final class HotKey {

  private static final int CONTEXTS = 4;
  private static final int OTHERS = 20;
  private static final int LOAD = 400;

  private static final Source FUNCTIONS =
      Source.newBuilder(
              "js",
              """
              // a task that waits for something outside, such as a remote response
              function work(milliseconds) {
                return new Promise(resolve => setTimeout(resolve, milliseconds));
              }
              // a task that waits for a slow database, here a lock that Java holds
              function store() {
                return navigator.locks.request('database', () => {});
              }
              function withLock(key, task, ...values) {
                return navigator.locks.request(key, () => globalThis[task](...values));
              }
              """,
              "functions.js")
          .buildLiteral();

  /** One of the two orders. */
  private interface Order {
    CompletableFuture<String> run(String key, String task, Object... values);
  }

  private final UserAgent userAgent;
  private final ContextPool pool;

  private HotKey(UserAgent userAgent, ContextPool pool) {
    this.userAgent = userAgent;
    this.pool = pool;
  }

  private CompletableFuture<String> contextFirst(String key, String task, Object... values) {
    List<Object> all = new ArrayList<>(List.of(key, task));
    all.addAll(List.of(values));
    return pool.callWithoutLock("withLock", all.toArray());
  }

  private CompletableFuture<String> keyFirst(String key, String task, Object... values) {
    return pool.call(key, task, values);
  }

  public static void main(String[] arguments) throws Exception {
    // Closed from last to first: the engine, which closes the contexts, after all turns.
    try (Engine engine = Engine.create("js");
        ExecutorService turns = Executors.newFixedThreadPool(2);
        UserAgent userAgent = UserAgent.newBuilder().build()) {
      HotKey keys =
          new HotKey(userAgent, new ContextPool(userAgent, engine, CONTEXTS, turns, FUNCTIONS));
      print("%d contexts; the first of 8 tasks of key 'hot' waits for a database", CONTEXTS);
      print("context first: %s", keys.others(keys::contextFirst, /* allOf= */ false));
      print("key first:     %s", keys.others(keys::keyFirst, /* allOf= */ true));
      print("%d tasks of 2 ms at once, half of them of key 'hot'", LOAD);
      keys.load(keys::contextFirst); // warms up
      print("context first: %s", keys.load(keys::contextFirst));
      print("key first:     %s", keys.load(keys::keyFirst));
    }
  }

  /**
   * Starts tasks of the hot key and of others, and counts the others that are done although the
   * first task of the hot key is not.
   *
   * @param allOf whether to wait for all others; else until each context has a task that waits
   */
  private String others(Order order, boolean allOf) throws InterruptedException {
    List<CompletableFuture<?>> hot = new ArrayList<>();
    List<CompletableFuture<?>> others = new ArrayList<>();
    String result;
    try (LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN);
        HeldLock database = java.acquire("database")) {
      hot.add(order.run("hot", "store"));
      for (int i = 1; i < 8; i++) {
        hot.add(order.run("hot", "work", 1));
      }
      for (int i = 0; i < OTHERS; i++) {
        others.add(order.run("key " + i, "work", 1));
      }
      if (allOf) {
        join(others);
      }
      while (userAgent.metrics().pending() < CONTEXTS) {
        Thread.sleep(1);
      }
      long done = others.stream().filter(CompletableFuture::isDone).count();
      result = done + " of " + OTHERS + " tasks of other keys done";
    }
    join(hot);
    join(others);
    return result;
  }

  /** Starts many tasks, and returns when they were done. */
  private String load(Order order) {
    List<CompletableFuture<Double>> hot = new ArrayList<>();
    List<CompletableFuture<Double>> others = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < LOAD; i++) {
      String key = i % 2 == 0 ? "hot" : "key " + i;
      (i % 2 == 0 ? hot : others)
          .add(order.run(key, "work", 2).thenApply(done -> (System.nanoTime() - start) / 1e6));
    }
    List<Double> times = others.stream().map(CompletableFuture::join).sorted().toList();
    return String.format(
        Locale.ROOT,
        "other keys done after %.0f ms (median), %.0f ms (last); 'hot' after %.0f ms",
        times.get(times.size() / 2),
        times.getLast(),
        hot.stream().mapToDouble(CompletableFuture::join).max().orElseThrow());
  }

  private static void join(List<CompletableFuture<?>> all) {
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
