/** Checks the first stage of the flow: IDL text into model. */
@NullMarked
package dev.weblocks.idl;

import org.jspecify.annotations.NullMarked;
