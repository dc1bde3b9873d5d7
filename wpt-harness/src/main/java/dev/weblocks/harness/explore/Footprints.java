package dev.weblocks.harness.explore;

import dev.weblocks.embed.Schedule;

/** The footprints of the steps of one run. To be called for each step, in order. */
@FunctionalInterface
interface Footprints {
  Footprint of(Schedule.Turn turn);
}
