@NullMarked
package dev.weblocks.harness.explore;

import org.jspecify.annotations.NullMarked;
