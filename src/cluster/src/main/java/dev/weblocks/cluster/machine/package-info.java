/**
 * The replicated state machine: sessions around the lock managers of the library. It depends on no
 * engine, clock or thread. Machines that apply the same entries in the same order stay equal.
 *
 * <p>Each user agent has a session. Its commands are numbered and applied once, however often they
 * arrive. Effects of the lock managers are numbered, too. They stay in the outbox of the session
 * until its user agent has acknowledged them. {@link dev.weblocks.cluster.machine.LeaderSessions}
 * is needed by the leader only: it answers polls and measures leases.
 */
@NullMarked
package dev.weblocks.cluster.machine;

import org.jspecify.annotations.NullMarked;
