/** Tests of the comparison with other runtimes. */
@NullMarked
package dev.weblocks.compare;

import org.jspecify.annotations.NullMarked;
