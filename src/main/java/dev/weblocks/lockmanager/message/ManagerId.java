package dev.weblocks.lockmanager.message;

/**
 * The key of the lock manager of one storage bucket. Equal keys share locks, unequal ones never
 * meet.
 *
 * @param value opaque to the lock managers; whoever owns storage chooses it
 */
public record ManagerId(String value) {}
