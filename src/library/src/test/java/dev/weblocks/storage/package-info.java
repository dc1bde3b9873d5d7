/** Tests of {@link dev.weblocks.storage}. */
@NullMarked
package dev.weblocks.storage;

import org.jspecify.annotations.NullMarked;
