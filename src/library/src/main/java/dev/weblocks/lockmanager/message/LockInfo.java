package dev.weblocks.lockmanager.message;

import dev.weblocks.model.LockMode;

/**
 * One lock or request in a snapshot.
 *
 * @param mode the mode of the lock or request
 * @param clientId the {@link ClientId#value} of its client
 */
public record LockInfo(String name, LockMode mode, String clientId) {}
