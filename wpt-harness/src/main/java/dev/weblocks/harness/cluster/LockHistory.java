package dev.weblocks.harness.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The history of the exclusive locks that the clients of one process requested, checked while it is
 * written. Each violation is a complaint:
 *
 * <ul>
 *   <li>two clients hold one lock,
 *   <li>a grant has no greater fencing token than the one before, or the token of another grant,
 *   <li>a request is granted twice,
 *   <li>a request overtakes one that was in the log before it was made,
 *   <li>a lock passes on before the lease of its dead holder is over.
 * </ul>
 *
 * <p>Times are those of {@link System#nanoTime}. Thread-safe.
 */
public final class LockHistory {

  private static final int MAX_COMPLAINTS = 20;

  /** A request of a client, from before it is sent until its lock ends. */
  public static final class Request {
    private final String client;
    private final String name;

    // guarded by the history
    private final long begun;

    /** The count of events when the request was known to be in the log; 0 if it is not known. */
    private long logged;

    /** Whether a session was lost meanwhile, so that its place in the queue is not known. */
    private boolean hasMoved;

    private @Nullable Request overtakenBy;
    private BooleanSupplier isHeld = () -> false;
    private long token;
    private long grantedAt;
    private boolean isGranted;
    private boolean hasEnded;

    private Request(String client, String name, long begun) {
      this.client = client;
      this.name = name;
      this.begun = begun;
    }

    @Override
    public String toString() {
      return client + ", with the token " + token;
    }
  }

  private final Map<String, Request> holders = new HashMap<>();
  private final Map<String, Long> greatest = new HashMap<>();
  private final Set<Long> tokens = new HashSet<>();
  private final Set<Request> waiting = new HashSet<>();
  private final List<Long> grants = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private long events;
  private long lost;
  private long placed;

  /** Notes that a client is about to make a request. */
  public synchronized Request requested(String client, String name) {
    Request request = new Request(client, name, ++events);
    waiting.add(request);
    return request;
  }

  /** Notes that a request is in the log, so that later ones of its name come behind it. */
  public synchronized void logged(Request request) {
    if (!request.isGranted && !request.hasMoved) {
      request.logged = ++events;
    }
  }

  /** Notes that a client has lost its session: waiting requests may have lost their places. */
  public synchronized void sessionLost() {
    for (Request each : waiting) {
      each.hasMoved = true;
      each.logged = 0;
      each.overtakenBy = null;
    }
  }

  /**
   * Notes a grant.
   *
   * @param isHeld whether the client may still use the lock
   * @param nanos the time of the grant
   */
  public synchronized void granted(
      Request request, long token, BooleanSupplier isHeld, long nanos) {
    if (request.isGranted) {
      complain(
          "%s got '%s' twice, with the tokens %s and %s"
              .formatted(request.client, request.name, request.token, token));
      return;
    }
    waiting.remove(request);
    grants.add(nanos);
    request.isGranted = true;
    request.isHeld = isHeld;
    request.token = token;
    request.grantedAt = nanos;
    checkToken(request);
    checkOrder(request);
    Request other = holders.put(request.name, request);
    if (other != null && other.isHeld.getAsBoolean() && isHeld.getAsBoolean()) {
      complain("two hold the lock '%s': %s, and %s".formatted(request.name, other, request));
    }
  }

  private void checkToken(Request request) {
    if (!tokens.add(request.token)) {
      complain("the token of '%s' is not new: %s".formatted(request.name, request));
      return;
    }
    Long before = greatest.merge(request.name, request.token, Math::max);
    if (before != request.token && request.isHeld.getAsBoolean()) {
      complain(
          "the token of '%s' has not grown from %s: %s".formatted(request.name, before, request));
    }
  }

  private void checkOrder(Request request) {
    if (request.logged > 0) {
      placed++;
    }
    if (request.overtakenBy != null) {
      complain(
          "'%s' was granted out of order: first to %s, then to %s"
              .formatted(request.name, request.overtakenBy, request));
    }
    for (Request each : waiting) {
      if (each.name.equals(request.name)
          && each.logged > 0
          && each.logged < request.begun
          && each.overtakenBy == null) {
        each.overtakenBy = request; // a complaint once it is granted without a new session
      }
    }
  }

  /** Notes that a client is about to release a lock, or has lost it. No-op without a grant. */
  public synchronized void ends(Request request) {
    if (!request.isGranted || request.hasEnded) {
      return;
    }
    request.hasEnded = true;
    if (!request.isHeld.getAsBoolean()) {
      lost++;
    }
    holders.remove(request.name, request);
  }

  /**
   * Checks a grant after the death of the holder.
   *
   * @param next the request that got the lock
   * @param deadline the time until which the holder may have used the lock
   */
  public synchronized void outlives(Request next, long deadline) {
    if (next.grantedAt - deadline < 0) {
      complain(
          "'%s' was granted %s ms before the lease of its holder was over: %s"
              .formatted(next.name, (deadline - next.grantedAt) / 1_000_000, next));
    }
  }

  /** Notes that something else went wrong. */
  public synchronized void complain(String text) {
    if (complaints.size() < MAX_COMPLAINTS) {
      complaints.add(text);
    }
  }

  /** Returns the longest time without a grant within an interval. */
  public synchronized long longestGap(long from, long to) {
    long last = from;
    long longest = 0;
    for (long grant : grants) {
      if (grant >= from && grant <= to) {
        longest = Math.max(longest, grant - last);
        last = grant;
      }
    }
    return Math.max(longest, to - last);
  }

  /** Returns how long after a time the first grant came; -1 if there was none. */
  public synchronized long nextGrantAfter(long from) {
    long next = -1;
    for (int i = grants.size() - 1; i >= 0 && grants.get(i) - from >= 0; i--) {
      next = grants.get(i) - from;
    }
    return next;
  }

  /** Returns the time of the grant of a request; only for one that was granted. */
  public synchronized long grantedAt(Request request) {
    return request.grantedAt;
  }

  /** Returns the number of grants. */
  public synchronized int grants() {
    return grants.size();
  }

  /** Returns the number of grants whose place in the queue was known before. */
  public synchronized long placed() {
    return placed;
  }

  /** Returns the number of locks that were lost. */
  public synchronized long lost() {
    return lost;
  }

  /** Returns what went wrong; empty if nothing did. */
  public synchronized List<String> complaints() {
    return List.copyOf(complaints);
  }
}
