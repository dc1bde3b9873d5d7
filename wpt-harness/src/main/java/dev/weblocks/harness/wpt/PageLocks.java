package dev.weblocks.harness.wpt;

import dev.weblocks.embed.LockBackend;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.model.Variant;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The locks of pages under test.
 *
 * @param variants deviations from the Working Draft
 * @param backends makes the lock managers of each page; null for those of its own user agent
 */
public record PageLocks(Set<Variant> variants, @Nullable Supplier<LockBackend> backends) {

  /** Copies the variants. */
  public PageLocks {
    variants = Set.copyOf(variants);
  }

  void configure(UserAgent.Builder builder) {
    builder.variants(variants);
    if (backends != null) {
      builder.lockBackend(backends.get());
    }
  }
}
