package dev.weblocks.lockmanager.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.model.LockMode;
import org.junit.jupiter.api.Test;

class LockModeTest {
  @Test
  void modes_have_the_values_of_the_idl_enumeration() {
    assertEquals("shared", LockMode.SHARED.idlValue());
    assertEquals("exclusive", LockMode.EXCLUSIVE.idlValue());
    for (LockMode mode : LockMode.values()) {
      assertSame(mode, LockMode.fromIdl(mode.idlValue()));
    }
  }

  @Test
  void unknown_value_is_refused_and_named_in_the_error() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> LockMode.fromIdl("Shared"));
    assertEquals(
        "not a LockMode: \"Shared\"; pass \"shared\" or \"exclusive\"", refusal.getMessage());
  }
}
