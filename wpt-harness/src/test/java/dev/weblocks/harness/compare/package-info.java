/** Tests of the comparison with other runtimes. */
@NullMarked
package dev.weblocks.harness.compare;

import org.jspecify.annotations.NullMarked;
