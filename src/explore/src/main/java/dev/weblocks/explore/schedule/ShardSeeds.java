package dev.weblocks.explore.schedule;

import java.util.SplittableRandom;

/**
 * The seeds of the schedules of a shard; a schedule has the same seed with any number of shards.
 */
final class ShardSeeds {

  private final SplittableRandom seeds;
  private final Shard shard;
  private long drawn;

  ShardSeeds(long seed, Shard shard) {
    this.seeds = new SplittableRandom(seed);
    this.shard = shard;
  }

  SplittableRandom next() {
    while (true) {
      SplittableRandom next = seeds.split();
      if (shard.has(drawn++)) {
        return next;
      }
    }
  }

  /** Returns the number of a schedule among those of all shards; both from 1. */
  long numberOf(long nth) {
    return shard.indexOf(nth - 1) + 1;
  }
}
