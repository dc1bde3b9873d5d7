/** Tests of the binding with their own IDL: one small interface for each construct. */
@NullMarked
package dev.weblocks.binding;

import org.jspecify.annotations.NullMarked;
