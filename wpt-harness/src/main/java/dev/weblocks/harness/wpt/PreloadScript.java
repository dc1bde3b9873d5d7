package dev.weblocks.harness.wpt;

/**
 * A script that runs in each window and worker before any other script of theirs.
 *
 * @param name name in stacks
 */
public record PreloadScript(String name, String text) {}
