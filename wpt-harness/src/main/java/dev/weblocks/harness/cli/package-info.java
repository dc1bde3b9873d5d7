/**
 * The command line: parses arguments and the launcher's system properties, assembles the parts of
 * {@code dev.weblocks.harness.wpt}, prints results, and maps outcomes to exit codes.
 */
@NullMarked
package dev.weblocks.harness.cli;

import org.jspecify.annotations.NullMarked;
