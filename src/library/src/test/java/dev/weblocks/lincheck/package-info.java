/** Runs of Lincheck that the tests of several packages share. */
@NullMarked
package dev.weblocks.lincheck;

import org.jspecify.annotations.NullMarked;
