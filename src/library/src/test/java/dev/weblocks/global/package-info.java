/** Tests of error events, rejections and timers as pages see them. */
@NullMarked
package dev.weblocks.global;

import org.jspecify.annotations.NullMarked;
