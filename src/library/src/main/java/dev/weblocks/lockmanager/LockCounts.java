package dev.weblocks.lockmanager;

/**
 * The number of held locks, of waiting requests, and of each kind of transition so far, in all lock
 * managers of a user agent. The numbers are taken between two steps, so {@code requests = grants +
 * misses + aborts + pending} and {@code grants = releases + steals + held}.
 *
 * @param requests requests made
 * @param grants requests granted
 * @param misses requests with {@code ifAvailable} that were not granted at once
 * @param steals locks that another request stole
 * @param aborts requests that left their queue, because they were aborted or their client ended
 * @param releases locks that were released, or ended with their client
 * @param held locks held now
 * @param pending requests that wait now
 */
public record LockCounts(
    long requests,
    long grants,
    long misses,
    long steals,
    long aborts,
    long releases,
    int held,
    int pending) {

  /** Returns these counts when all locks and requests are gone. */
  public LockCounts withoutLocks() {
    return new LockCounts(requests, grants, misses, steals, aborts, releases, 0, 0);
  }
}
