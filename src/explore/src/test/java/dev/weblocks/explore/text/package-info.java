@NullMarked
package dev.weblocks.explore.text;

import org.jspecify.annotations.NullMarked;
