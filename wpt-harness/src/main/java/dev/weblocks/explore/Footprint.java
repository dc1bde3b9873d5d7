package dev.weblocks.explore;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * What a step shares with steps of others. Two steps of different actors whose footprints do not
 * meet, and of which neither is the cause of the other, can change places: the same has happened
 * afterwards, whichever of them came first.
 *
 * @param everything whether it may have read and written anything
 * @param reads what it has looked at and left as it was
 * @param writes what it may have changed
 */
record Footprint(boolean everything, Set<String> reads, Set<String> writes) {

  /** The footprint of a step of which nothing is known. */
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

  /** Whether the order of the two may matter. */
  boolean meets(Footprint other) {
    return everything
        || other.everything
        || !Collections.disjoint(writes, other.writes)
        || !Collections.disjoint(writes, other.reads)
        || !Collections.disjoint(reads, other.writes);
  }
}
