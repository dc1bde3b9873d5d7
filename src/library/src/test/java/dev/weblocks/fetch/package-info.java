/** Tests of {@link dev.weblocks.fetch}. */
@NullMarked
package dev.weblocks.fetch;

import org.jspecify.annotations.NullMarked;
