package dev.weblocks.cluster.machine;

import dev.weblocks.lockmanager.message.LockEffect;

/**
 * An effect on a client of a session.
 *
 * @param number from 1; consecutive within the session
 * @param index the index of the log entry that caused it, for traces; {@link #NO_INDEX} if it is
 *     not known
 */
public record Event(long number, long index, LockEffect effect) {

  /** The index of effects that no entry has caused, or one of a build without indexes. */
  public static final long NO_INDEX = -1;
}
