package dev.weblocks.harness.wpt;

/**
 * A script that runs in each window and worker before its other scripts.
 *
 * @param name name in stack traces
 */
public record PreloadScript(String name, String text) {}
