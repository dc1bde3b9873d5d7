/** Tests of the parser and the model of IDL texts. */
@NullMarked
package dev.weblocks.idl;

import org.jspecify.annotations.NullMarked;
