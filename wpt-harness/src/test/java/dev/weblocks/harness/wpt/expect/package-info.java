@NullMarked
package dev.weblocks.harness.wpt.expect;

import org.jspecify.annotations.NullMarked;
