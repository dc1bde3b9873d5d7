/** Enumerations of the public API that the implementation uses, too. */
@NullMarked
package dev.weblocks.model;

import org.jspecify.annotations.NullMarked;
