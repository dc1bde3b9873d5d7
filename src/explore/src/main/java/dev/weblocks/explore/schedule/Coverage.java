package dev.weblocks.explore.schedule;

import dev.weblocks.model.LockEntry;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The set of states seen. A state consists of the held and requested locks, and of the next step of
 * each actor with work. It is stored as a 64-bit hash; collisions are negligible. Thread-safe.
 */
public final class Coverage {

  /** The maximum size, which limits memory; further states are not counted. */
  private static final int MOST = 4_000_000;

  private final Set<Long> seen = ConcurrentHashMap.newKeySet();

  void add(long state) {
    if (seen.size() < MOST) {
      seen.add(state);
    }
  }

  /** Adds the states of another set. */
  public void addAll(Coverage others) {
    others.seen.forEach(this::add);
  }

  /** Returns the number of states. */
  public int size() {
    return seen.size();
  }

  /** Returns the hashes in Base64, eight bytes each, in ascending order. */
  public String text() {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Long.BYTES, seen.size()));
    seen.stream().sorted().limit(bytes.capacity() / Long.BYTES).forEach(bytes::putLong);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /**
   * Returns the set with this {@link #text()}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static Coverage parse(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
    if (bytes.capacity() % Long.BYTES != 0) {
      throw new IllegalArgumentException("a state is incomplete");
    }
    Coverage states = new Coverage();
    while (bytes.hasRemaining()) {
      states.add(bytes.getLong());
    }
    return states;
  }

  /** Returns a hash of held locks and waiting requests. */
  public static long hash(List<LockEntry> locks) {
    long hash = START;
    for (LockEntry entry : locks) {
      hash = mix(hash, entry.manager() + "\n" + entry.name());
      hash = mix(hash, entry.agent() + " " + entry.mode() + " " + entry.place());
    }
    return hash;
  }

  static long mix(long hash, String text) {
    long mixed = hash;
    for (int i = 0; i < text.length(); i++) {
      mixed = (mixed ^ text.charAt(i)) * 0x100000001b3L;
    }
    return (mixed ^ 0xffff) * 0x100000001b3L;
  }

  static final long START = 0xcbf29ce484222325L;
}
