package dev.weblocks.embed;

/**
 * What a user agent has done since it was made, and has in hand. The numbers of locks are all as
 * they were at one moment, so that {@code requests = grants + misses + aborts + pending} and {@code
 * grants = releases + steals + held}.
 *
 * @param requests lock requests made, by script and by Java code
 * @param grants requests that became locks
 * @param misses requests that were not granted at once and would not wait
 * @param steals locks taken from who held them
 * @param aborts requests that left their queue: aborted, or ended with their client
 * @param releases locks given back, or ended with their client
 * @param held locks that are held now
 * @param pending requests that wait now
 * @param agents agents that live now
 * @param tasks tasks that event loops have run
 */
public record Metrics(
    long requests,
    long grants,
    long misses,
    long steals,
    long aborts,
    long releases,
    int held,
    int pending,
    int agents,
    long tasks) {}
