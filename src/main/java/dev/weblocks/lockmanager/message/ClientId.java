package dev.weblocks.lockmanager.message;

/**
 * The id of the environment that asks: {@code clientId} in a snapshot, {@code Client.id} to script.
 *
 * @param value opaque; unique within the user agent, and never used again for another environment
 */
public record ClientId(String value) {}
