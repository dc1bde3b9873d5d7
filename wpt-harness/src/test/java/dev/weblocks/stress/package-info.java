/** Tests of the stress runs. */
@NullMarked
package dev.weblocks.stress;

import org.jspecify.annotations.NullMarked;
