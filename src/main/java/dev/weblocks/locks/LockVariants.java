package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.Variant;
import java.util.Set;

/**
 * How the locks of a user agent deviate from the Working Draft: a supplement of it, which is to be
 * there before its first realm. Without one they do not.
 *
 * @param all immutable, in the order of their list
 */
public record LockVariants(Set<Variant> all) {

  private static final LockVariants NONE = new LockVariants(Set.of());

  /**
   * Checks them.
   *
   * @throws IllegalArgumentException if two exclude each other
   */
  public LockVariants {
    all = Variant.requireCompatible(all);
  }

  static LockVariants of(UserAgent userAgent) {
    return userAgent.supplements().get(LockVariants.class, () -> NONE);
  }

  boolean has(Variant variant) {
    return all.contains(variant);
  }
}
