package dev.weblocks.wpt;

/**
 * A script that runs in each window and worker before any of their own.
 *
 * @param name what stacks call it
 */
public record PreloadScript(String name, String text) {}
