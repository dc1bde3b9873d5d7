/** Benchmarks, compiled and run by {@code scripts/bench}, and what their guard compares by. */
@NullMarked
package dev.weblocks.bench;

import org.jspecify.annotations.NullMarked;
