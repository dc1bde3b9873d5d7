/** Tests of {@link dev.weblocks.file}. */
@NullMarked
package dev.weblocks.file;

import org.jspecify.annotations.NullMarked;
