package dev.weblocks.lockmanager.message;

/**
 * The id of an environment as a client: {@code clientId} in a snapshot, {@code Client.id} for
 * script.
 *
 * @param value opaque; unique within the user agent, and never used again for another environment
 */
public record ClientId(String value) {}
