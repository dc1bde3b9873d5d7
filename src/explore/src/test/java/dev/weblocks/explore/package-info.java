@NullMarked
package dev.weblocks.explore;

import org.jspecify.annotations.NullMarked;
