/** Benchmarks, which {@code scripts/bench} compiles and runs, and the baseline of their guard. */
@NullMarked
package dev.weblocks.bench;

import org.jspecify.annotations.NullMarked;
