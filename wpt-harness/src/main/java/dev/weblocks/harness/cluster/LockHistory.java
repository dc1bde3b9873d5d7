package dev.weblocks.harness.cluster;

import dev.weblocks.embed.HeldLock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The history of the locks that the clients of one process got, checked while it is written: one
 * holder of a name at a time, and greater fencing tokens with each grant. Thread-safe.
 */
public final class LockHistory {

  private static final int MAX_COMPLAINTS = 20;

  private record Turn(HeldLock lock, String client) {}

  private final Map<String, Turn> holders = new HashMap<>();
  private final Map<String, Long> tokens = new HashMap<>();
  private final List<Long> grants = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private long lost;

  /** Notes that a client got a lock. */
  public synchronized void granted(String client, HeldLock lock) {
    grants.add(System.nanoTime());
    Long before = tokens.put(lock.name(), lock.fencingToken());
    if (before != null && before >= lock.fencingToken() && lock.isHeld()) {
      complain(
          "%s got '%s' with the token %s after %s"
              .formatted(client, lock.name(), lock.fencingToken(), before));
    }
    Turn other = holders.put(lock.name(), new Turn(lock, client));
    if (other != null && other.lock().isHeld() && lock.isHeld()) {
      complain(
          "%s and %s hold the lock '%s', with the tokens %s and %s"
              .formatted(
                  other.client(),
                  client,
                  lock.name(),
                  other.lock().fencingToken(),
                  lock.fencingToken()));
    }
  }

  /** Notes that a client is about to release a lock, or has lost it. */
  public synchronized void ends(HeldLock lock) {
    if (!lock.isHeld()) {
      lost++;
    }
    Turn turn = holders.get(lock.name());
    if (turn != null && turn.lock() == lock) {
      holders.remove(lock.name());
    }
  }

  /** Notes that something else went wrong. */
  public synchronized void complain(String text) {
    if (complaints.size() < MAX_COMPLAINTS) {
      complaints.add(text);
    }
  }

  /** Returns the longest time without a grant within an interval of {@link System#nanoTime}. */
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

  /** Returns the number of grants. */
  public synchronized int grants() {
    return grants.size();
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
