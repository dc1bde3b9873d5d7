package dev.weblocks.harness.cluster;

/**
 * A resource that a lock protects: it stores the greatest fencing token that it has seen, and
 * refuses smaller ones. Thread-safe.
 */
final class FencedResource {

  private long greatest;
  private int refused;

  /** Writes with a token; returns false if the resource refuses it. */
  synchronized boolean write(long token) {
    if (token < greatest) {
      refused++;
      return false;
    }
    greatest = token;
    return true;
  }

  /** Returns the number of writes that were refused. */
  synchronized int refused() {
    return refused;
  }
}
