package dev.weblocks.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The state of the member of this JVM.
 *
 * @param isRunning false while it starts again, for example because the disk is full
 * @param leads whether it leads; a partitioned member may return true for a short time
 * @param term the number of the last election that has reached it
 * @param appliedIndex the index of the last entry of the log that it has applied; -1 for none
 * @param lag the number of entries that it knows to be committed, and has not applied
 * @param refusal why the cluster has refused the member, which has stopped then; null if it did not
 */
public record MemberStatus(
    String id,
    boolean isRunning,
    boolean leads,
    long term,
    long appliedIndex,
    long lag,
    @Nullable String refusal) {}
