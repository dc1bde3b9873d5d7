/**
 * The same JavaScript workloads in Weblocks and in other runtimes, one engine at a time and round
 * by round: what they are, the processes that run them, and what became of it as a table, JSON and
 * a chart.
 */
@NullMarked
package dev.weblocks.compare;

import org.jspecify.annotations.NullMarked;
