package dev.weblocks.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The state of the member of this JVM.
 *
 * @param isRunning false while it starts again, for example because the disk is full
 * @param isAdded false while a member without data waits until it reaches the others, and while a
 *     new member waits for {@link LockCluster#replaceMember}
 * @param leads whether it leads; a partitioned member may return true for a short time
 * @param term the number of the last election that has reached it
 * @param appliedIndex the index of the last entry of the log that it has applied; -1 for none
 * @param lag the number of entries that it knows to be committed, and has not applied
 * @param refusedCommands the commands of clients that it has refused because of a limit, since it
 *     started. A member that starts applies the last entries again, and counts again
 * @param refusal why the member cannot take part, and has stopped; null if it can
 */
public record MemberStatus(
    String id,
    boolean isRunning,
    boolean isAdded,
    boolean leads,
    long term,
    long appliedIndex,
    long lag,
    long refusedCommands,
    @Nullable String refusal) {}
