package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.ClusterMachine.FencingTokens;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The application of one entry.
 *
 * @param index the index of the entry in the log
 * @param nanoTime the time of the machine
 * @param touched receives the sessions that get events
 * @param isLimited whether the limits of {@link Quota} hold
 * @param refused counts the commands that they refuse
 * @param listed counts the locks and requests that queries of the same entry list
 */
record Application(
    long index,
    long nanoTime,
    FencingTokens tokens,
    List<Long> touched,
    boolean isLimited,
    LongAdder refused,
    AtomicInteger listed) {

  /** Returns whether another query may list so many locks and requests. */
  boolean list(int infos) {
    return listed.addAndGet(infos) <= Caps.LISTED;
  }
}
