package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Variant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VariantTest {

  @Test
  void each_id_is_the_constant_name_in_lower_case_with_hyphens() {
    for (Variant each : Variant.values()) {
      assertEquals(each.name().toLowerCase(Locale.ROOT).replace('_', '-'), each.id());
    }
  }

  @Test
  void each_variant_has_a_short_title_and_describes_its_change_and_origin() {
    Set<String> titles = new HashSet<>();
    for (Variant each : Variant.values()) {
      assertTrue(titles.add(each.title()), each.title());
      assertTrue(each.title().length() <= 90, each.title());
      assertFalse(each.title().endsWith("."), each.title());
      assertTrue(each.change().endsWith("."), each.change());
      assertTrue(each.change().length() > 60, each.change());
      assertFalse(each.origin().endsWith("."), each.origin());
      assertTrue(each.origin().length() > 20, each.origin());
      for (String text : List.of(each.title(), each.change(), each.origin())) {
        assertFalse(text.contains("\n") || text.contains("  "), text);
      }
    }
  }

  @Test
  void exclusion_is_mutual_and_no_variant_excludes_itself() {
    for (Variant one : Variant.values()) {
      assertFalse(one.excludes().contains(one));
      for (Variant other : one.excludes()) {
        assertTrue(other.excludes().contains(one), one.id() + " and " + other.id());
      }
    }
  }

  @Test
  void incompatible_variants_are_refused_with_a_hint() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                Variant.requireCompatible(
                    List.of(
                        Variant.STOLEN_ERROR,
                        Variant.SETTLE_AT_ONCE,
                        Variant.SETTLE_BEFORE_GRANT)));
    assertEquals(
        "the variants settle-before-grant and settle-at-once exclude each other; leave one of them"
            + " out",
        refused.getMessage());
  }

  @Test
  void all_compatible_pairs_can_be_combined() {
    for (Variant one : Variant.values()) {
      for (Variant other : Variant.values()) {
        if (!one.excludes().contains(other)) {
          assertEquals(
              new HashSet<>(List.of(one, other)), Variant.requireCompatible(List.of(one, other)));
        }
      }
    }
  }

  @Test
  void named_sets_are_compatible_and_not_named_like_a_variant() {
    Map<String, Set<Variant>> sets = Variant.sets();
    assertEquals(List.of("node", "deno"), List.copyOf(sets.keySet()));
    for (Map.Entry<String, Set<Variant>> each : sets.entrySet()) {
      assertEquals(each.getValue(), Variant.requireCompatible(each.getValue()));
      assertFalse(Variant.ids(List.of(Variant.values())).contains(each.getKey()));
    }
  }

  @Test
  void ids_are_in_declaration_order() {
    assertEquals(
        List.of("reentrant", "callback-less"),
        Variant.ids(List.of(Variant.CALLBACK_LESS, Variant.REENTRANT)));
  }

  @Test
  void lock_managers_refuse_the_early_draft_variant() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> new LockManagers(Set.of(Variant.EARLY_DRAFT)));
    assertTrue(String.valueOf(refused.getMessage()).contains("early-draft"), refused.getMessage());
  }

  @Test
  void lock_managers_refuse_incompatible_variants() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new LockManagers(Set.of(Variant.ABORTED_STAYS_PENDING, Variant.ABORT_GRANTS_NOTHING)));
  }
}
