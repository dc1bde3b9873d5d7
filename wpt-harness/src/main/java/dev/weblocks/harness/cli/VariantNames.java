package dev.weblocks.harness.cli;

import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parser of the names of variants, and of sets of them. */
final class VariantNames {

  /** Names of the Working Draft without variants; messages use the first one. */
  private static final List<String> DRAFT = List.of("none", "working-draft");

  private VariantNames() {}

  /**
   * Returns all variants that the given names of variants and sets stand for.
   *
   * @throws IllegalArgumentException if a name is unknown, or two variants exclude each other; the
   *     message is one line
   */
  static Set<Variant> together(Collection<String> names) {
    EnumSet<Variant> all = EnumSet.noneOf(Variant.class);
    for (String name : names) {
      all.addAll(one(name));
    }
    Variant.requireCompatible(all);
    return all;
  }

  private static Set<Variant> one(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a NAME is needed");
    }
    if (DRAFT.contains(name)) {
      return Set.of();
    }
    Optional<Set<Variant>> known = Variant.named(name);
    if (known.isEmpty()) {
      String meant = UsageError.meant(name, all());
      throw new IllegalArgumentException(
          "unknown variant '%s'%s"
              .formatted(name, meant.isEmpty() ? "; 'weblocks variants' lists them" : meant));
    }
    return known.get();
  }

  static List<String> all() {
    List<String> names = new ArrayList<>();
    for (Variant each : Variant.values()) {
      names.add(each.id());
    }
    names.addAll(Variant.sets().keySet());
    names.addAll(DRAFT);
    return names;
  }
}
