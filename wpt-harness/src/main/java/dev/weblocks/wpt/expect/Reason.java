package dev.weblocks.wpt.expect;

/**
 * Why a test does not pass.
 *
 * @param text for people
 * @param link where they learn more: a URL, or a path from the root of the repository
 */
public record Reason(String text, String link) {}
