/** Tests of {@link dev.weblocks.utf8}. */
@NullMarked
package dev.weblocks.utf8;

import org.jspecify.annotations.NullMarked;
