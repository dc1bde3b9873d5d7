package dev.weblocks.embed;

import dev.weblocks.model.Limit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The counters of a user agent since its creation, and the current numbers of its locks, requests
 * and agents. All numbers of requests and locks are taken at one moment, so that {@code requests =
 * grants + misses + aborts + pending} and {@code grants = releases + steals + held}.
 *
 * @param requests lock requests made, by script and by Java code
 * @param grants requests that became locks
 * @param misses requests with {@code ifAvailable} that were not granted at once
 * @param steals locks stolen from their holders
 * @param aborts requests that left their queue because they were aborted or their client ended
 * @param releases locks that were released, possibly by the end of their client
 * @param held the current number of held locks
 * @param pending the current number of waiting requests
 * @param agents the current number of agents that have not ended
 * @param abandonedAgents the current number of ended agents that were cut off and whose script
 *     still occupies a thread, see {@link dev.weblocks.model.Ending#CUT_OFF}
 * @param tasks tasks that event loops have run
 * @param frames the current number of documents in frames
 * @param timers the current number of pending timers; approximate while script runs
 * @param connections the current number of requests that the resource loader has not answered
 * @param waitingConnections the current number of requests that wait for a place, see {@link
 *     dev.weblocks.model.Limits.Builder#connectionsPerHost}
 * @param limitsReached how often each limit was reached: refusals, waits and ended agents; a limit
 *     that was not reached is absent
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
    int abandonedAgents,
    long tasks,
    int frames,
    int timers,
    int connections,
    int waitingConnections,
    Map<Limit, Long> limitsReached) {

  public Metrics {
    Map<Limit, Long> inOrder = new EnumMap<>(Limit.class);
    inOrder.putAll(Objects.requireNonNull(limitsReached, "limitsReached"));
    limitsReached = Collections.unmodifiableMap(inOrder);
  }
}
