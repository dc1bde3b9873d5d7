/** Tests of the names of fast paths. */
@NullMarked
package dev.weblocks.fastpath;

import org.jspecify.annotations.NullMarked;
