/**
 * Runs one scenario under many schedules, for {@code weblocks explore}: strategies that choose them
 * (random, PCT, depth-first with partial-order reduction), what counts as a finding, the shrinking
 * of a schedule that fails, and strings that repeat it. Each run has a user agent of its own; all
 * share one environment.
 */
@NullMarked
package dev.weblocks.explore;

import org.jspecify.annotations.NullMarked;
