/** The types that the public API and the implementation share. */
@NullMarked
package dev.weblocks.model;

import org.jspecify.annotations.NullMarked;
