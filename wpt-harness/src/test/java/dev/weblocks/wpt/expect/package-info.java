@NullMarked
package dev.weblocks.wpt.expect;

import org.jspecify.annotations.NullMarked;
