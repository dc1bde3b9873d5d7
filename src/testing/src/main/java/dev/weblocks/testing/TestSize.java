package dev.weblocks.testing;

/** The size of tests that repeat one thing many times. */
public final class TestSize {
  private static final boolean FULL = Boolean.getBoolean("weblocks.full");

  private TestSize() {}

  /** Returns {@code full} in a run by {@code scripts/test --full}, else {@code quick}. */
  public static int of(int quick, int full) {
    return FULL ? full : quick;
  }

  /** Returns how many seeds to try: {@code full} in a run in full size, else a fifth of that. */
  public static int seeds(int full) {
    return of((full + 4) / 5, full);
  }
}
