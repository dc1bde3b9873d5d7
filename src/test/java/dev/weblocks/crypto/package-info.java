/** Tests of error events, rejections and timers as pages see them. */
@NullMarked
package dev.weblocks.crypto;

import org.jspecify.annotations.NullMarked;
