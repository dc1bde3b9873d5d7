package dev.weblocks.agent;

import java.util.random.RandomGenerator;

/**
 * The randomness of a user agent: a supplement of it. Seeded, it gives the same values in the same
 * order. Thread-safe, whatever the generator behind it is.
 */
public final class RandomSource implements RandomGenerator {

  private final RandomGenerator random;

  public RandomSource(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public synchronized long nextLong() {
    return random.nextLong();
  }

  @Override
  public synchronized void nextBytes(byte[] bytes) {
    random.nextBytes(bytes);
  }
}
