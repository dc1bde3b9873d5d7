/** Tests of the binding with IDL of their own: one small interface for each construct. */
@NullMarked
package dev.weblocks.binding;

import org.jspecify.annotations.NullMarked;
