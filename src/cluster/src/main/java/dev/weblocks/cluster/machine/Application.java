package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.ClusterMachine.FencingTokens;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The application of one entry.
 *
 * @param index the index of the entry in the log
 * @param nanoTime the time of the machine
 * @param touched receives the sessions that get events
 * @param isLimited whether the limits of {@link Quota} hold
 * @param refused counts the commands that they refuse
 */
record Application(
    long index,
    long nanoTime,
    FencingTokens tokens,
    List<Long> touched,
    boolean isLimited,
    LongAdder refused) {}
