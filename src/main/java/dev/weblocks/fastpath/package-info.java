/**
 * Names of the ways around work that is not needed, and which of them are to be taken. Knows
 * nothing of what they go around.
 */
@NullMarked
package dev.weblocks.fastpath;

import org.jspecify.annotations.NullMarked;
