package dev.weblocks.idl;

import java.util.List;
import java.util.Set;

/**
 * A namespace with its partials.
 *
 * @param members its members, then those of its partials, in IDL order; immutable
 * @param operations its operations, grouped by identifier, in order of first appearance; immutable
 */
public record MergedNamespace(
    String name,
    List<MergedMember> members,
    List<OperationGroup> operations,
    Exposure exposure,
    ExtendedAttributes extendedAttributes,
    SourcePosition position) {

  public MergedNamespace {
    members = List.copyOf(members);
    operations = List.copyOf(operations);
  }

  /** Returns whether the namespace is exposed in a realm; see {@link Exposure#exposedIn}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
