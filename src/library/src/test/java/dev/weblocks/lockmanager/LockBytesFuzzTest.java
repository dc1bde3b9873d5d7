package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.testing.FuzzTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A byte that selects a format, and the bytes of a lock command, an effect or a state. Malformed
 * ones throw an {@link IllegalArgumentException}. Others are encoded as equal bytes again, and a
 * restored state can end its clients.
 */
class LockBytesFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    try {
      switch (input[0] & 3) {
        case 0 -> assertArrayEquals(bytes, LockCodec.encode(command(bytes)));
        case 1 -> assertArrayEquals(bytes, LockCodec.encode(effect(bytes)));
        default -> state(bytes);
      }
    } catch (Malformed documented) {
      // part of the contract
    }
  }

  /** A malformed input, in distinction from other causes of the same exception. */
  private static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private static LockCommand command(byte[] bytes) throws Malformed {
    try {
      return LockCodec.decodeCommand(bytes);
    } catch (IllegalArgumentException malformed) {
      throw new Malformed();
    }
  }

  private static LockEffect effect(byte[] bytes) throws Malformed {
    try {
      return LockCodec.decodeEffect(bytes);
    } catch (IllegalArgumentException malformed) {
      throw new Malformed();
    }
  }

  private static LockManagers restored(byte[] bytes) throws Malformed {
    try {
      return LockManagers.restore(bytes, Set.of());
    } catch (IllegalArgumentException malformed) {
      throw new Malformed();
    }
  }

  private static void state(byte[] bytes) throws Malformed {
    LockManagers state = restored(bytes);
    byte[] again = state.snapshot();
    LockManagers other = restored(again);
    assertArrayEquals(again, other.snapshot());
    List<LockState> before = state.diagnose();
    assertEquals(before, other.diagnose());
    before.stream()
        .map(each -> each.id().client())
        .distinct()
        .forEach(client -> state.apply(new LockCommand.EndClient(client), 0));
    assertEquals(0, state.heldCount() + state.pendingCount());
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("\0\u0001\u0004\0\0\u0040\0", "a", ""),
        new Shape("\u0001\u0001\u0004", "\0", ""),
        new Shape("\u0002\u0001", "\0", ""));
  }
}
