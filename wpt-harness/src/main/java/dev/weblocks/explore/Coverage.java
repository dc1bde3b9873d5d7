package dev.weblocks.explore;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The states that were seen: what is held and waits, and who has work to do what. By numbers of 64
 * bits; two states in a million million share one. Any thread.
 */
final class Coverage {

  /** Beyond that, memory matters more than an exact number. */
  private static final int MOST = 4_000_000;

  private final Set<Long> seen = ConcurrentHashMap.newKeySet();

  void add(long state) {
    if (seen.size() < MOST) {
      seen.add(state);
    }
  }

  void addAll(Coverage others) {
    others.seen.forEach(this::add);
  }

  int size() {
    return seen.size();
  }

  /** Mixes a text into a number. */
  static long mix(long hash, String text) {
    long mixed = hash;
    for (int i = 0; i < text.length(); i++) {
      mixed = (mixed ^ text.charAt(i)) * 0x100000001b3L;
    }
    return (mixed ^ 0xffff) * 0x100000001b3L;
  }

  /** A number to begin with. */
  static final long START = 0xcbf29ce484222325L;
}
