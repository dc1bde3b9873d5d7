package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.ClusterMachine.FencingTokens;
import java.util.List;

/**
 * The application of one entry.
 *
 * @param index the index of the entry in the log
 * @param nanoTime the time of the machine
 * @param touched receives the sessions that get events
 */
record Application(long index, long nanoTime, FencingTokens tokens, List<Long> touched) {}
