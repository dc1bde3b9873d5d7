/** Tests of the Encoding Standard. */
@NullMarked
package dev.weblocks.encoding;

import org.jspecify.annotations.NullMarked;
