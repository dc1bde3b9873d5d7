package dev.weblocks.lockmanager.earlydraft;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * A scope: a set of names, each a DOMString. Names are compared code unit by code unit. Immutable.
 *
 * @param names the names without duplicates, in the order of first occurrence
 */
// Early draft, "Lock": A lock has an associated scope
public record Scope(List<String> names) {

  /** Keeps the first of equal names. */
  public Scope {
    names = List.copyOf(new LinkedHashSet<>(names));
  }

  /** Returns the scope with the given names, possibly an empty scope. */
  public static Scope of(String... names) {
    return new Scope(List.of(names));
  }

  /** Returns the scope with the given names, possibly an empty scope. */
  public static Scope of(Collection<String> names) {
    return new Scope(new ArrayList<>(names));
  }

  /** Returns whether there are no names; such a scope cannot be locked. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /** Returns the names in lexicographic order of their code units. */
  public List<String> sorted() {
    return names.stream().sorted().toList();
  }
}
