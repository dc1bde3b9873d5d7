package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import org.jspecify.annotations.Nullable;

/** The lock service of a user agent: its own lock task queue, or remote lock managers. */
final class LockServices {

  private LockServices() {}

  /** Returns the lock service of a user agent; created at the first call. */
  static LockService of(UserAgent userAgent) {
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
}
