package dev.weblocks.agent;

import java.util.random.RandomGenerator;

/**
 * The random generator of a user agent. With the same seed, it returns the same values in the same
 * order. Thread-safe, even if the generator behind it is not.
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
