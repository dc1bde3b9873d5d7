/** Helpers for tests of all modules. */
@NullMarked
package dev.weblocks.testing;

import org.jspecify.annotations.NullMarked;
