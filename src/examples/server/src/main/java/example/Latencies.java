package example;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of durations in buckets whose bounds are about 6 % apart, so that recording needs no
 * lock and a percentile no list of all durations. Thread-safe.
 */
final class Latencies {

  /** The number of buckets for each doubling of the duration, as a power of two. */
  private static final int BITS = 4;

  private final AtomicLongArray counts = new AtomicLongArray(Long.SIZE << BITS);

  /**
   * Counts one duration.
   *
   * @param nanos negative ones count as 0
   */
  void add(long nanos) {
    counts.incrementAndGet(bucket(Math.max(nanos, 0)));
  }

  private static int bucket(long nanos) {
    int shift = Math.max(Long.SIZE - Long.numberOfLeadingZeros(nanos) - 1 - BITS, 0);
    return (shift << BITS) + (int) (nanos >>> shift);
  }

  /** Returns the least duration of a bucket. */
  private static long floor(int bucket) {
    int shift = Math.max((bucket >> BITS) - 1, 0);
    return (long) (bucket - (shift << BITS)) << shift;
  }

  /** Returns the counts of all buckets so far. */
  long[] counts() {
    long[] copy = new long[counts.length()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = counts.get(i);
    }
    return copy;
  }

  /**
   * Returns the duration that a share of all does not exceed, in milliseconds; 0 if there are none.
   *
   * @param counts a result of {@link #counts}, or the difference of two
   * @param share from 0 to 1
   */
  static double percentile(long[] counts, double share) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    long rank = (long) Math.ceil(share * sum);
    int bucket = 0;
    for (long below = counts[0]; below < rank; below += counts[bucket]) {
      bucket++;
    }
    return sum == 0 ? 0 : floor(bucket + 1) / 1e6;
  }
}
