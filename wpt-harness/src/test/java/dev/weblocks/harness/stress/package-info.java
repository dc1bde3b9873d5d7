/** Tests of the stress runs. */
@NullMarked
package dev.weblocks.harness.stress;

import org.jspecify.annotations.NullMarked;
