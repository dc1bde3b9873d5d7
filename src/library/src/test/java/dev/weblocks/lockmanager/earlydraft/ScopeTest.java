package dev.weblocks.lockmanager.earlydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeTest {

  @Test
  void only_the_first_of_duplicate_names_is_kept() {
    assertEquals(List.of("b", "a", "c"), Scope.of("b", "a", "b", "c", "a").names());
  }

  @Test
  void names_are_sorted_by_code_units() {
    // U+1F600 is above U+E000 as a code point, but its first code unit D83D is below
    assertEquals(
        List.of("", "B", "a", "\uD800", "\uD83D\uDE00", "\uE000"),
        Scope.of("\uE000", "a", "\uD83D\uDE00", "\uD800", "", "B").sorted());
  }

  @Test
  void names_that_differ_only_in_a_lone_surrogate_are_different() {
    assertEquals(2, Scope.of("x\uD800", "x\uD801").names().size());
  }

  @Test
  void scope_that_contains_only_the_empty_name_is_not_empty() {
    assertTrue(Scope.of().isEmpty());
    assertFalse(Scope.of("").isEmpty());
  }
}
