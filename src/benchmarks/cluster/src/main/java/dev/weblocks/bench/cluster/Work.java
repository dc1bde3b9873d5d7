package dev.weblocks.bench.cluster;

import dev.weblocks.bench.cluster.LockStore.Held;
import dev.weblocks.bench.cluster.LockStore.Session;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** One workload on one lock store; prints a line with its figures. Run in a process of its own. */
final class Work {

  /** Until then the compilers of the JVM take a good part of two processors. */
  private static final int WARM_SECONDS = 45;

  private static final int WARM_WAITERS = 5_000;
  private static final double MILLION = 1e6;

  private final LockStore store;
  private final int seconds;

  private Work(LockStore store, int seconds) {
    this.store = store;
    this.seconds = seconds;
  }

  /**
   * Arguments: the store, the workload, and the seconds that are measured, the waiters, or the
   * sessions. Then, for work that is measured for some seconds, those of {@link Turns}.
   */
  public static void main(String... args) throws Exception {
    Path folder = Files.createTempDirectory("weblocks-bench-cluster");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    int amount = Integer.parseInt(args[2]);
    if (args[1].equals("hold")) {
      hold(args[0], args[3], amount);
    }
    try (LockStore store =
        args[0].equals("weblocks") ? new WeblocksStore(folder) : new CuratorStore()) {
      Work work = new Work(store, amount);
      System.out.println(
          "result "
              + switch (args[1]) {
                case "one" -> work.steady(turns(args), 1, 1, false, Held::close);
                case "awaited" -> work.steady(turns(args), 1, 1, false, Held::release);
                case "many" -> work.steady(turns(args), 1, 64, false, Held::release);
                case "contended" -> work.steady(turns(args), 8, 8, true, Held::release);
                case "waiters" -> work.waiters(amount);
                case "expire" -> work.expire(args[0], amount);
                default -> throw new IllegalArgumentException("unknown workload " + args[1]);
              });
    }
    System.exit(0); // threads of sessions that were not closed
  }

  private static Turns turns(String... arguments) {
    return Turns.of(Arrays.copyOfRange(arguments, 3, arguments.length));
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (java.io.IOException gone) {
      // nothing is left to delete
    }
  }

  // ---- requests and releases for some seconds
  // ----------------------------------------------------

  /** Latencies of one thread. */
  private static final class Latencies {
    private long[] nanos = new long[1 << 16];
    private int size;

    void add(long each) {
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      nanos[size++] = each;
    }
  }

  /** When a lock was released last, and in which slice that one was requested. */
  private record Release(int slice, long nanoTime) {}

  /** Gives a lock back. */
  @FunctionalInterface
  private interface End {
    void of(Held lock) throws Exception;
  }

  private String steady(Turns turns, int sessions, int threadsEach, boolean oneName, End end)
      throws Exception {
    List<Session> open = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    List<Latencies> all = new ArrayList<>();
    AtomicReference<Exception> failure = new AtomicReference<>();
    AtomicReference<Release> released = new AtomicReference<>(new Release(-1, 0));
    int slices = turns.slices(seconds);
    for (int s = 0; s < sessions; s++) {
      Session session = store.connect();
      open.add(session);
      for (int t = 0; t < threadsEach; t++) {
        String name = oneName ? "n0" : "n" + threads.size();
        Latencies latencies = new Latencies();
        all.add(latencies);
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    for (int slice = turns.await(); slice < slices; slice = turns.await()) {
                      long began = System.nanoTime();
                      Held held = session.acquire(name);
                      long got = System.nanoTime();
                      Release before = released.get();
                      if (turns.isMeasured(slice) && (!oneName || before.slice() == slice)) {
                        latencies.add(got - (oneName ? before.nanoTime() : began));
                      }
                      released.set(new Release(slice, System.nanoTime()));
                      end.of(held);
                    }
                  } catch (Exception failed) {
                    failure.set(failed);
                  }
                }));
      }
    }
    for (Thread each : threads) {
      each.join();
    }
    turns.await(); // the others have ended their last slice
    for (Session each : open) {
      each.close();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    long[] sorted =
        all.stream()
            .flatMapToLong(each -> Arrays.stream(each.nanos, 0, each.size))
            .sorted()
            .toArray();
    return String.format(
        Locale.ROOT,
        "%.1f %.3f %.3f",
        sorted.length / Turns.rounded(seconds),
        sorted[sorted.length / 2] / MILLION,
        sorted[(int) (sorted.length * 0.99)] / MILLION);
  }

  // ---- many that wait
  // ----------------------------------------------------------------------------

  private static final int NAMES = 100;
  private static final int WAITING_SESSIONS = 8;

  /**
   * Holds some locks, makes many requests that wait for them, and passes the locks on to all. The
   * figures are the requests queued and then granted per second.
   */
  private String waiters(int count) throws Exception {
    long measured = System.nanoTime() + WARM_SECONDS * 1_000_000_000L;
    while (System.nanoTime() < measured) {
      queueAndDrain(Math.min(count, WARM_WAITERS));
    }
    return queueAndDrain(count);
  }

  private String queueAndDrain(int count) throws Exception {
    Session holder = store.connect();
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      held.add(holder.acquire("n" + i));
    }
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < WAITING_SESSIONS; i++) {
      sessions.add(store.connect());
    }
    CountDownLatch done = new CountDownLatch(count);
    AtomicReference<Exception> failure = new AtomicReference<>();
    ThreadFactory factory = Thread.ofVirtual().factory();
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      Session session = sessions.get(i % WAITING_SESSIONS);
      String name = "n" + i % NAMES;
      factory
          .newThread(() -> {
            try {
              session.acquire(name).release();
            } catch (Exception failed) {
              failure.set(failed);
            } finally {
              done.countDown();
            }
          })
          .start();
    }
    while (store.requests(NAMES) < count + NAMES) {
      if (failure.get() != null) {
        throw failure.get();
      }
      Thread.sleep(100);
    }
    long queued = System.nanoTime();
    for (Held each : held) {
      each.release();
    }
    done.await();
    long drained = System.nanoTime();
    holder.close();
    for (Session each : sessions) {
      each.close();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return String.format(
        Locale.ROOT,
        "%.1f %.1f",
        count / ((queued - began) / 1e9),
        count / ((drained - queued) / 1e9));
  }

  // ---- many sessions that expire together
  // --------------------------------------------------------

  /** The time for all requests to reach the servers. */
  private static final int QUEUE_SECONDS = 120;

  /** Takes a lock in each of many sessions, and waits to be killed. */
  private static void hold(String store, String address, int sessions) throws Exception {
    if (store.equals("weblocks")) {
      WeblocksStore.holdEach(address, sessions);
    } else {
      CuratorStore.holdEach(address, sessions);
    }
    System.out.println("held");
    Thread.sleep(Long.MAX_VALUE);
  }

  /**
   * Kills a process with many sessions that hold a lock each, while one session waits for all
   * locks. The figures are the seconds from the kill to the first and to the last grant.
   */
  private String expire(String kind, int count) throws Exception {
    if (store instanceof CuratorStore curator) {
      curator.createNames(count);
    }
    Process holders =
        Comparison.java(List.of(kind, "hold", String.valueOf(count), store.address()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = holders.inputReader()) {
      String line;
      while ((line = out.readLine()) != null && !line.equals("held")) {
        // another line
      }
      if (line == null) {
        throw new IllegalStateException("the holders ended");
      }
      return expired(holders, count);
    } finally {
      holders.destroyForcibly().waitFor();
    }
  }

  private String expired(Process holders, int count) throws Exception {
    Session session = store.connect();
    long[] grants = new long[count];
    List<Thread> threads = new ArrayList<>();
    AtomicReference<Exception> failure = new AtomicReference<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  Held lock = session.acquire("n" + index);
                  grants[index] = System.nanoTime();
                  lock.release();
                } catch (Exception failed) {
                  failure.set(failed);
                }
              }));
    }
    long late = System.nanoTime() + QUEUE_SECONDS * 1_000_000_000L;
    while (store.requests(count) < 2L * count) {
      if (failure.get() != null) {
        throw failure.get();
      }
      if (System.nanoTime() - late > 0) {
        throw new IllegalStateException(
            "only " + store.requests(count) + " of " + 2L * count + " requests hold or wait");
      }
      Thread.sleep(100);
    }
    long killed = System.nanoTime();
    holders.destroyForcibly();
    for (Thread each : threads) {
      each.join();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    Arrays.sort(grants);
    return String.format(
        Locale.ROOT, "%.3f %.3f", (grants[0] - killed) / 1e9, (grants[count - 1] - killed) / 1e9);
  }
}
