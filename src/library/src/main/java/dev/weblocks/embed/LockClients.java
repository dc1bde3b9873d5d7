package dev.weblocks.embed;

import dev.weblocks.agent.Origin;
import dev.weblocks.locks.LockSettings;
import dev.weblocks.model.Variant;
import dev.weblocks.storage.Bucket;
import dev.weblocks.storage.Site;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
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
final class LockClients {

  // guarded by this; in the order in which they were opened
  private final Set<LockClient> clients = new LinkedHashSet<>();
  private long opened;
  private boolean closed;
  private final AtomicLong tokens = new AtomicLong();

  /** The driver threads that are running lock callbacks of the embedder. */
  private final Set<Thread> runningCode = ConcurrentHashMap.newKeySet();

  /** The thread that is delivering an effect of a lock step to a client; null for none. */
  private volatile @Nullable Thread inStep;

  static LockClients of(dev.weblocks.agent.UserAgent userAgent) {
    return userAgent
        .supplements()
        .get(
            LockClients.class,
            () -> {
              LockClients made = new LockClients();
              userAgent.onClosed(made::closeAll); // also if the user agent ends after a failure
              return made;
            });
  }

  /** Opens a client; its options select its lock manager. */
  static LockClient open(dev.weblocks.agent.UserAgent userAgent, LockClientOptions options) {
    if (LockSettings.of(userAgent).variants().contains(Variant.EARLY_DRAFT)) {
      throw new IllegalStateException(
          "Java lock clients follow the Working Draft, and this user agent runs the variant"
              + " early-draft; leave that variant out");
    }
    Origin.Tuple origin = origin("origin", options.origin);
    Origin.Tuple topLevel = origin("topLevelOrigin", options.topLevelOrigin);
    Site site = Site.obtain(topLevel);
    StorageKey key = new StorageKey(origin, site, !site.equals(Site.obtain(origin)));
    if (userAgent.isClosed()) {
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    return new LockClient(
        userAgent,
        bucket(userAgent, key, options.bucket),
        origin.serialize(),
        options.name,
        options.executor);
  }

  private static Bucket bucket(
      dev.weblocks.agent.UserAgent userAgent, StorageKey key, @Nullable String name) {
    if (name == null) {
      return Bucket.defaultOf(userAgent, key);
    }
    if (!Bucket.isValidName(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not the name of a bucket: use 1 to 64 lower-case letters, digits, '_' and"
              + " '-', beginning with a letter or digit");
    }
    return Bucket.open(userAgent, key, name);
  }

  private static Origin.Tuple origin(String what, String text) {
    Origin.Tuple origin = tupleOrigin(text);
    if (origin == null) {
      throw new IllegalArgumentException(
          what
              + " '"
              + text
              + "' is not an origin that has locks; use one as location.origin shows it, such as"
              + " https://shop.test");
    }
    if (!origin.isPotentiallyTrustworthy()) {
      throw new IllegalArgumentException(
          what
              + " '"
              + text
              + "': scripts there have no locks, as it is no secure context; use https, or an"
              + " origin of this machine, such as http://localhost");
    }
    return origin;
  }

  /** Parses an origin as {@code location.origin} shows it; null if the text is not an origin. */
  static Origin.@Nullable Tuple tupleOrigin(String text) {
    UrlRecord url = UrlParser.parse(text);
    Origin.Tuple origin = url == null ? null : url.tupleOrigin();
    boolean isExact = url != null && origin != null && url.href().equals(origin.serialize() + "/");
    return isExact ? origin : null;
  }

  /**
   * Ends all clients and refuses new ones. The result completes when all affected futures of the
   * embedder have completed.
   */
  CompletableFuture<Void> closeAll() {
    List<LockClient> all;
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
  synchronized void add(LockClient client) {
    if (closed) {
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    clients.add(client);
  }

  synchronized void remove(LockClient client) {
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
