package dev.weblocks.idl;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The realms in which an interface, namespace or member is exposed.
 *
 * @param everywhere whether the <a href="https://webidl.spec.whatwg.org/#dfn-exposure-set">exposure
 *     set</a> is {@code *}
 * @param globals the exposure set: global names such as {@code Window}, in text order; immutable,
 *     empty if {@code everywhere}
 * @param secureContext whether the construct is <a
 *     href="https://webidl.spec.whatwg.org/#dfn-conditionally-exposed">conditionally exposed</a> on
 *     {@code [SecureContext]}
 * @param crossOriginIsolated whether it is conditionally exposed on {@code [CrossOriginIsolated]}
 */
public record Exposure(
    boolean everywhere, Set<String> globals, boolean secureContext, boolean crossOriginIsolated) {

  /** Copies the exposure set, keeping its order. */
  public Exposure {
    globals = Collections.unmodifiableSet(new LinkedHashSet<>(globals));
  }

  /**
   * Returns whether the construct is exposed in a realm.
   *
   * @param globalNames the global names of the interfaces that the realm's global object
   *     implements, as in its {@code [Global]}: for example {@code Worker} and {@code
   *     DedicatedWorker}
   * @param secureContext whether the realm's settings object is a secure context
   * @param crossOriginIsolated whether the settings object has the cross-origin isolated capability
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-exposed">exposed</a>
   */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    // 1. The realm's global object implements an interface in the exposure set.
    if (!everywhere && Collections.disjoint(globals, globalNames)) {
      return false;
    }
    // 2. A secure context, if the construct requires one.
    if (!secureContext && this.secureContext) {
      return false;
    }
    // 3. Cross-origin isolation, if the construct requires it.
    return crossOriginIsolated || !this.crossOriginIsolated;
  }
}
