package dev.weblocks.explore.schedule;

import java.util.SplittableRandom;

/**
 * A strategy that draws each choice uniformly among the ready actors. Each schedule has its own
 * seed.
 */
final class RandomStrategy implements Strategy {

  private final SplittableRandom seeds;

  RandomStrategy(long seed) {
    this.seeds = new SplittableRandom(seed);
  }

  @Override
  public Chooser next() {
    SplittableRandom random = seeds.split();
    return point -> random.nextInt(point.ready().size());
  }
}
