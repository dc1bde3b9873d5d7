package dev.weblocks.idl;

import java.util.Set;

/**
 * A member of a merged interface or namespace.
 *
 * @param member the member, its types resolved
 * @param declaredOn the unresolved interface, partial, mixin or namespace that declares the member
 * @param exposure where it is exposed. The extended attributes of the member decide, else those of
 *     {@code declaredOn}, else those of the interface or namespace
 */
public record MergedMember(Member member, Definition declaredOn, Exposure exposure) {

  /** Returns whether the member is exposed in a realm; see {@link Exposure#exposedIn}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
