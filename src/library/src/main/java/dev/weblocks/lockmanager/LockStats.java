package dev.weblocks.lockmanager;

/**
 * The numbers of held locks and waiting requests of one user agent, for diagnosis.
 *
 * @param held locks held, in all managers together
 * @param pending requests that wait, in all managers together
 */
public record LockStats(int held, int pending) {}
