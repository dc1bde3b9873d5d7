package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.storage.Bucket;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of a user agent: its own lock task queue, or remote lock managers; and the keys
 * of lock managers.
 */
public final class LockServices {

  private LockServices() {}

  /** Returns the lock service of a user agent; created at the first call. */
  public static LockService of(UserAgent userAgent) {
    RemoteLocks remote = LockSettings.of(userAgent).remote();
    return remote == null
        ? LockTaskQueue.of(userAgent)
        : RemoteLocksActor.of(userAgent, remote).service();
  }

  /**
   * Returns the lock service of a user agent; null before its first use. Callable on any thread.
   */
  static @Nullable LockService find(UserAgent userAgent) {
    RemoteLocksActor remote = userAgent.supplements().find(RemoteLocksActor.class);
    if (remote != null) {
      return remote.service();
    }
    return userAgent.supplements().find(LockTaskQueue.class);
  }

  /** Returns the key of the lock manager of a bucket. */
  public static ManagerId managerOf(Bucket bucket) {
    return new ManagerId(bucket.bottleName("web-locks"), bucket.name(), bucket.opening());
  }
}
