package dev.weblocks.bench.cluster;

/**
 * The slices of time in which a process works, while those of the other stores pause. So they all
 * work on the same machine, which may be shared and faster at some times than at others.
 *
 * @param beginMillis on the wall clock, the same for all processes
 * @param turn which slices are those of this process, from 0
 * @param count the number of processes
 */
record Turns(long beginMillis, int turn, int count) {

  static final long SLICE_MILLIS = 2_000;

  /** The time until the processes run. */
  private static final long START_MILLIS = 15_000;

  /** Until then the compilers of the JVM take a good part of two processors. */
  private static final int WARM_SLICES = 30;

  static Turns of(String... arguments) {
    return new Turns(
        Long.parseLong(arguments[0]),
        Integer.parseInt(arguments[1]),
        Integer.parseInt(arguments[2]));
  }

  /** Returns the arguments of a process that starts now. */
  static String[] arguments(long nowMillis, int turn, int count) {
    return new String[] {
      String.valueOf(nowMillis + START_MILLIS), String.valueOf(turn), String.valueOf(count)
    };
  }

  /** Waits for a slice of this process, and returns its number, from 0. */
  int await() throws InterruptedException {
    while (true) {
      long passed = Math.max(0, System.currentTimeMillis() - beginMillis + SLICE_MILLIS);
      long slice = passed / SLICE_MILLIS - 1; // of any process
      long next = slice < turn ? turn : slice + Math.floorMod(turn - slice, count);
      if (slice == next) {
        return (int) (slice / count);
      }
      Thread.sleep((next + 1) * SLICE_MILLIS - passed);
    }
  }

  /** Returns whether a slice is after the warm-up. */
  boolean isMeasured(int slice) {
    return slice >= WARM_SLICES;
  }

  /** Returns the number of slices, the warm-up included. */
  int slices(int measuredSeconds) {
    return WARM_SLICES + measuredSlices(measuredSeconds);
  }

  private static int measuredSlices(int seconds) {
    return Math.toIntExact(Math.ceilDiv(seconds * 1_000L, SLICE_MILLIS));
  }

  /** Returns the seconds of whole slices. */
  static double rounded(int seconds) {
    return measuredSlices(seconds) * SLICE_MILLIS / 1_000.0;
  }
}
