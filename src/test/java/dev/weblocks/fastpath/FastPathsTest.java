package dev.weblocks.fastpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastPathsTest {

  @Test
  void all_are_on_where_nothing_is_said() {
    assertEquals(FastPaths.ALL_ON, FastPaths.of(null));
    for (FastPath path : FastPath.values()) {
      assertTrue(FastPaths.ALL_ON.isOn(path));
      assertFalse(FastPaths.allOff().isOn(path));
    }
  }

  @Test
  void names_leave_out_some_and_the_word_all_leaves_out_all() {
    assertEquals(
        Set.of(FastPath.ONE_REALM, FastPath.LOCK_SNAPSHOT),
        FastPaths.of("ONE_REALM,LOCK_SNAPSHOT").off());
    assertEquals(FastPaths.allOff(), FastPaths.of("all"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "one_realm", "ONE_REALM,", "", "all,ONE_REALM"})
  void a_name_that_there_is_not_is_refused_with_those_that_there_are(String property) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> FastPaths.of(property)).getMessage();
    assertTrue(message.startsWith("-Ddev.weblocks.fastPathsOff: there is no fast path '"), message);
    assertTrue(message.contains("LOCK_SNAPSHOT, LOCK_LOOKUPS"), message);
  }
}
