package dev.weblocks.explore.schedule;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * The shared state that a step reads and writes. If the footprints of two steps of different actors
 * do not conflict, and neither step caused the other, their order does not affect the result.
 *
 * @param everything whether the step may have read and written anything
 * @param reads state that the step has read and not changed
 * @param writes state that the step may have changed
 */
record Footprint(boolean everything, Set<String> reads, Set<String> writes) {

  /** The footprint of an unknown step. */
  static final Footprint EVERYTHING = new Footprint(true, Set.of(), Set.of());

  Footprint {
    reads = Set.copyOf(reads);
    writes = Set.copyOf(writes);
  }

  static Footprint of(Set<String> reads, Set<String> writes) {
    Set<String> onlyRead = new HashSet<>(reads);
    onlyRead.removeAll(writes);
    return new Footprint(false, onlyRead, writes);
  }

  /** Returns whether one step may write state that the other reads or writes. */
  boolean conflictsWith(Footprint other) {
    return everything
        || other.everything
        || !Collections.disjoint(writes, other.writes)
        || !Collections.disjoint(writes, other.reads)
        || !Collections.disjoint(reads, other.writes);
  }
}
