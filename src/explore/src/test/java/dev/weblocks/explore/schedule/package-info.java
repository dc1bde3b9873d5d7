@NullMarked
package dev.weblocks.explore.schedule;

import org.jspecify.annotations.NullMarked;
