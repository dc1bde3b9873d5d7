/** Processes of other programs that a command starts, and ends with itself. */
@NullMarked
package dev.weblocks.harness.process;

import org.jspecify.annotations.NullMarked;
