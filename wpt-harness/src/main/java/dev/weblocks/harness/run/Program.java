package dev.weblocks.harness.run;

import java.nio.file.Path;

/**
 * A script to run.
 *
 * @param label display name, such as {@code lib/a.js} or {@code [eval]}
 * @param directory base of the URLs that it loads; absolute
 * @param fileName its name in that directory, even if no such file exists
 * @param text its source
 * @param module whether it is an ES module
 * @param imports the same for all programs of a run
 */
public record Program(
    String label, Path directory, String fileName, String text, boolean module, Imports imports) {}
