/** Tests of generated programs and of their comparison. */
@NullMarked
package dev.weblocks.harness.differ;

import org.jspecify.annotations.NullMarked;
