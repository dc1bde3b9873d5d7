package dev.weblocks.lockmanager;

/**
 * How much one user agent's lock managers have in hand, for diagnosis.
 *
 * @param held locks held, in all managers together
 * @param pending requests that wait, in all managers together
 */
public record LockStats(int held, int pending) {}
