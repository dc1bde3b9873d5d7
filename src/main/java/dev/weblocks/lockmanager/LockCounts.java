package dev.weblocks.lockmanager;

/**
 * What a user agent's lock managers have done so far and have in hand, all as it was between two
 * steps. So {@code requests = grants + misses + aborts + pending} and {@code grants = releases +
 * steals + held}.
 *
 * @param requests requests made
 * @param grants requests granted
 * @param misses requests that were not granted at once and would not wait
 * @param steals locks taken from those who held them
 * @param aborts requests that left their queue, because they were aborted or their client ended
 * @param releases locks given back, or ended with their client
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
    int pending) {}
