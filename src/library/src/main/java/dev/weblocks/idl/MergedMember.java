package dev.weblocks.idl;

import java.util.Set;

/**
 * A member of a merged interface or namespace.
 *
 * @param member the member, its types resolved
 * @param declaredOn the interface, partial, mixin or namespace text it comes from, unresolved
 * @param exposure where it is exposed: by its own extended attributes, else by those of the text it
 *     comes from, else by those of the interface or namespace
 */
public record MergedMember(Member member, Definition declaredOn, Exposure exposure) {

  /** Like {@link Exposure#exposedIn}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
