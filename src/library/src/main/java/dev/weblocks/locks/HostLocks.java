package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The Java clients of one user agent; a supplement of the user agent. Thread-safe. */
public final class HostLocks {

  // guarded by this; in the order in which they were opened
  private final Set<HostLockClient> clients = new LinkedHashSet<>();
  private long opened;
  private boolean closed;
  private final AtomicLong tokens = new AtomicLong();

  /** The driver threads that are running lock callbacks of the embedder. */
  private final Set<Thread> runningCode = ConcurrentHashMap.newKeySet();

  /** The thread that is delivering an effect of a lock step to a client; null for none. */
  private volatile @Nullable Thread inStep;

  private HostLocks() {}

  static HostLocks of(UserAgent userAgent) {
    return userAgent
        .supplements()
        .get(
            HostLocks.class,
            () -> {
              HostLocks made = new HostLocks();
              userAgent.onClosed(made::closeAll); // also if the user agent ends after a failure
              return made;
            });
  }

  /**
   * Ends all clients of a user agent and refuses new ones. The result completes when all affected
   * futures of the embedder have completed.
   */
  public static CompletableFuture<Void> closeAll(UserAgent userAgent) {
    return of(userAgent).closeAll();
  }

  private CompletableFuture<Void> closeAll() {
    List<HostLockClient> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(clients);
    }
    List<CompletableFuture<Void>> ended = new ArrayList<>();
    all.forEach(client -> ended.add(client.end()));
    return allOf(ended);
  }

  static CompletableFuture<Void> allOf(Collection<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
  }

  /**
   * Adds a client.
   *
   * @throws IllegalStateException if the user agent is closed
   */
  synchronized void add(HostLockClient client) {
    if (closed) {
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    clients.add(client);
  }

  synchronized void remove(HostLockClient client) {
    clients.remove(client);
  }

  /** Returns a generated name for a client without one. */
  synchronized String nextName() {
    return "java-" + ++opened;
  }

  /** Returns the fencing token of a lock that is granted by the user agent itself. */
  long nextToken() {
    return tokens.incrementAndGet();
  }

  /**
   * Runs the code that delivers an effect of a lock step. Meanwhile {@link #isNeededHere} returns
   * true on this thread, in case the executor of a client wrongly runs code of the embedder there.
   */
  void inStep(Runnable steps) {
    Thread before = inStep;
    inStep = Thread.currentThread();
    try {
      steps.run();
    } finally {
      inStep = before;
    }
  }

  /** Runs code of the embedder. Called on a thread of the driver. */
  void runCode(Runnable code) {
    boolean outermost = runningCode.add(Thread.currentThread());
    try {
      code.run();
    } finally {
      if (outermost) {
        runningCode.remove(Thread.currentThread());
      }
    }
  }

  /** Returns whether the current thread must not block, since lock grants may depend on it. */
  boolean isNeededHere() {
    Thread current = Thread.currentThread();
    return inStep == current || runningCode.contains(current);
  }
}
