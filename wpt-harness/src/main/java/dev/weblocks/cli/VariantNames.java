package dev.weblocks.cli;

import dev.weblocks.embed.Variant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the names of variants, and of sets of them. */
final class VariantNames {

  /** What the Working Draft is called beside its variants; the first is the one that is shown. */
  private static final List<String> DRAFT = List.of("none", "working-draft");

  private VariantNames() {}

  /**
   * The variants of some names together.
   *
   * @throws IllegalArgumentException if there is no such variant, or two exclude each other; says
   *     what to do, in one line
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
      String meant = Complaint.meant(name, all());
      throw new IllegalArgumentException(
          "there is no variant '"
              + name
              + "'"
              + (meant.isEmpty() ? "; 'weblocks variants' lists them" : meant));
    }
    return known.get();
  }

  /** All names that are understood. */
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
