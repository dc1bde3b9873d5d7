package dev.weblocks.explore;

import dev.weblocks.embed.Schedule;

/** Tells the footprints of the steps of one run, which it is asked for in their order. */
@FunctionalInterface
interface Footprints {
  Footprint of(Schedule.Turn turn);
}
