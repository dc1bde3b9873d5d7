/**
 * Runs of one scenario under many schedules. Contains the strategies that choose schedules (random,
 * PCT, depth-first with partial-order reduction), the findings, the shrinking of a failing
 * schedule, and the replay strings. Each run has its own user agent; all share one environment.
 */
@NullMarked
package dev.weblocks.explore.schedule;

import org.jspecify.annotations.NullMarked;
