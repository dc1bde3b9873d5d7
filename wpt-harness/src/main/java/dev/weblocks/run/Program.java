package dev.weblocks.run;

import java.nio.file.Path;

/**
 * A script that is to run.
 *
 * @param label how the user calls it, such as {@code lib/a.js} or {@code [eval]}
 * @param directory where what it loads lies; absolute
 * @param fileName its name in that directory, whether there is such a file or not
 * @param text its source
 * @param module whether it is an ES module
 */
public record Program(String label, Path directory, String fileName, String text, boolean module) {}
