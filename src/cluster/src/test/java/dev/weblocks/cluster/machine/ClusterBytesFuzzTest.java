package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.testing.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * A byte that selects a format, and the bytes of an entry, a query, a reply, a snapshot, or of
 * several entries behind their lengths. Malformed ones throw an {@link IllegalArgumentException}.
 * Others are equal when they are encoded and decoded again. No entry that can be decoded makes a
 * machine throw, which would end all members, and none makes it differ from one that was restored.
 */
class ClusterBytesFuzzTest extends FuzzTarget {

  /** The secret of the session that the entries of an input may use; its id is 1. */
  static final UUID SECRET = new UUID(0, 1);

  @Override
  protected void accept(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    switch (input[0] & 7) {
      case 0 -> again(bytes, EntryCodec::decodeEntry, EntryCodec::encode);
      case 1 -> again(bytes, EntryCodec::decodeQuery, EntryCodec::encode);
      case 2 -> again(bytes, EntryCodec::decodeReply, EntryCodec::encode);
      case 3 -> restored(bytes);
      default -> apply(ByteBuffer.wrap(bytes));
    }
  }

  private static <T> void again(
      byte[] bytes, Function<byte[], T> decoder, Function<T, byte[]> encoder) {
    T decoded;
    try {
      decoded = decoder.apply(bytes);
    } catch (IllegalArgumentException documented) {
      return;
    }
    assertEquals(decoded, decoder.apply(encoder.apply(decoded)));
  }

  private static void restored(byte[] bytes) {
    ClusterMachine machine;
    try {
      machine = ClusterMachine.restore(bytes);
    } catch (IllegalArgumentException documented) {
      return;
    }
    byte[] again = machine.snapshot();
    assertArrayEquals(again, ClusterMachine.restore(again).snapshot());
  }

  private static void apply(ByteBuffer input) {
    ClusterMachine machine = new ClusterMachine();
    machine.apply(new OpenSession(SECRET, "shop", "user", 10_000, Set.of()), 1, 0);
    ClusterMachine other = ClusterMachine.restore(machine.snapshot());
    while (input.remaining() > 1) {
      byte[] bytes = new byte[Math.min(input.getShort() & 0xffff, input.remaining())];
      input.get(bytes);
      Entry entry;
      try {
        entry = EntryCodec.decodeEntry(bytes);
      } catch (IllegalArgumentException documented) {
        continue;
      }
      machine.apply(entry, 1, 0);
      other.apply(entry, 1, 0);
      other = ClusterMachine.restore(other.snapshot());
    }
    assertArrayEquals(machine.snapshot(), other.snapshot());
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("\0\u0001", "\0", ""),
        new Shape("\u0001\u0001", "\0", ""),
        new Shape("\u0002\u0001", "\0", ""),
        new Shape("\u0003\u0001", "\0", ""),
        new Shape("\0\u0003\u0006", "\0", ""), // several entries
        new Shape("\u0001\u0003\u0003", "\0", ""), // several polls
        new Shape("\u0002\u0003\u0008", "\0", ""), // several replies
        new Shape("\u0004", "\0", ""),
        new Shape("\u0004", "\0\u0002\u0001\u0001", ""));
  }
}
