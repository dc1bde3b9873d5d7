@NullMarked
package dev.weblocks.trace;

import org.jspecify.annotations.NullMarked;
