/**
 * The command line: reads arguments and the launcher's system properties, puts the parts of {@code
 * dev.weblocks.wpt} together, prints, and turns outcomes into exit codes.
 */
@NullMarked
package dev.weblocks.cli;

import org.jspecify.annotations.NullMarked;
