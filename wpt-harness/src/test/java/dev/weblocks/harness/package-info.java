/** Values that the tests of the harness share. */
@NullMarked
package dev.weblocks.harness;

import org.jspecify.annotations.NullMarked;
