/** Tests of the layering and of rules that hold for all classes. */
@NullMarked
package dev.weblocks.arch;

import org.jspecify.annotations.NullMarked;
