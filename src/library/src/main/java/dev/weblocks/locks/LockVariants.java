package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.Variant;
import java.util.Set;

/**
 * The deviations of the locks of a user agent from the Working Draft: a supplement of it, added
 * before its first realm. Without it there are no deviations.
 *
 * @param all the active variants; immutable, in the order of the enum
 */
public record LockVariants(Set<Variant> all) {

  private static final LockVariants NONE = new LockVariants(Set.of());

  /**
   * Checks the variants.
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
