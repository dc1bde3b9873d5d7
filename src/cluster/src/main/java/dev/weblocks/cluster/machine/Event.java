package dev.weblocks.cluster.machine;

import dev.weblocks.lockmanager.message.LockEffect;

/**
 * An effect on a client of a session.
 *
 * @param number from 1; consecutive within the session
 */
public record Event(long number, LockEffect effect) {}
