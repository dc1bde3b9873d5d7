package dev.weblocks.explore.schedule;

import java.util.SplittableRandom;

/**
 * A strategy that draws each choice uniformly among the ready actors. Each schedule has its own
 * seed.
 */
final class RandomStrategy implements Strategy {

  private final ShardSeeds seeds;

  RandomStrategy(long seed, Shard shard) {
    this.seeds = new ShardSeeds(seed, shard);
  }

  @Override
  public Chooser next() {
    SplittableRandom random = seeds.next();
    return point -> random.nextInt(point.ready().size());
  }

  @Override
  public long numberOf(long nth) {
    return seeds.numberOf(nth);
  }
}
