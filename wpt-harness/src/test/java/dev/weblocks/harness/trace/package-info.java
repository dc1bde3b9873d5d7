@NullMarked
package dev.weblocks.harness.trace;

import org.jspecify.annotations.NullMarked;
