package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;

/** A source of the footprints of one run. {@link #of} must be called for each step, in order. */
@FunctionalInterface
interface Footprints {
  Footprint of(Schedule.Turn turn);
}
