/** Benchmarks, compiled and run by {@code scripts/bench}. */
package dev.weblocks.bench;
