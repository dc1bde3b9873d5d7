/** Tests of {@code crypto} as pages see it. */
@NullMarked
package dev.weblocks.crypto;

import org.jspecify.annotations.NullMarked;
