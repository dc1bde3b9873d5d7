@NullMarked
package dev.weblocks.explore.trace;

import org.jspecify.annotations.NullMarked;
