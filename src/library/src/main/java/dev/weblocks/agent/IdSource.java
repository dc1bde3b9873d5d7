package dev.weblocks.agent;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The source of environment identifiers. With the same seed, it makes the same identifiers in the
 * same order. Thread-safe.
 */
public final class IdSource {

  private final RandomGenerator random;

  public IdSource(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a version 4 UUID in lower case, the form in which browsers show {@code Client.id}. */
  public synchronized String nextUuid() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
    return new UUID(high, low).toString();
  }
}
