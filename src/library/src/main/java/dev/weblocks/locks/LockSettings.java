package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.model.Variant;
import dev.weblocks.storage.SharedBuckets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the locks of a user agent.
 *
 * @param variants the deviations from the Working Draft; immutable, in the order of the enum
 * @param positions whether to record the position of each call of {@code request()}, which costs a
 *     stack walk
 * @param watchdog reports requests that wait for too long; null for none
 * @param watcher gets the transitions of requests and locks; null for none
 * @param invariants checks each step of the lock task queue; null for none
 * @param remote the lock managers; null for those of the user agent itself
 */
public record LockSettings(
    Set<Variant> variants,
    boolean positions,
    @Nullable LockWatchdog watchdog,
    @Nullable LockWatcher watcher,
    @Nullable LockWatcher invariants,
    @Nullable RemoteLocks remote)
    implements SharedBuckets.Source {

  private static final LockSettings DEFAULT =
      new LockSettings(Set.of(), false, null, null, null, null);

  /**
   * Checks the variants.
   *
   * @throws IllegalArgumentException if two exclude each other
   */
  public LockSettings {
    variants = Variant.requireCompatible(variants);
  }

  @Override
  public @Nullable SharedBuckets sharedBuckets(UserAgent userAgent) {
    return remote == null ? null : RemoteBuckets.of(userAgent);
  }

  /** Returns the configuration of a user agent; the default is the plain Working Draft. */
  public static LockSettings of(UserAgent userAgent) {
    return userAgent.configuration().part(LockSettings.class, () -> DEFAULT);
  }
}
