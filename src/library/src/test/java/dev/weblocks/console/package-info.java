/** Tests of the {@code console} namespace as pages see it. */
@NullMarked
package dev.weblocks.console;

import org.jspecify.annotations.NullMarked;
