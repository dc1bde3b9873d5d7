package dev.weblocks.harness.wpt.expect;

/**
 * The reason why a test does not pass.
 *
 * @param text for users
 * @param link further information: a URL, or a path from the root of the repository
 */
public record Reason(String text, String link) {}
