/**
 * Benchmarks that run the same JavaScript workloads in Weblocks and in other runtimes, one engine
 * at a time and round by round. Contains the workloads, the processes that run them, and the
 * results as a table, JSON and a chart.
 */
@NullMarked
package dev.weblocks.harness.compare;

import org.jspecify.annotations.NullMarked;
