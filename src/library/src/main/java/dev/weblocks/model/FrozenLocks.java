package dev.weblocks.model;

/**
 * A policy for the locks of a window and of its dedicated workers when the window freezes. Web
 * Locks does not specify this. Each policy has a drawback.
 */
public enum FrozenLocks {
  /**
   * A window that holds or awaits a lock, itself or in a worker, is not frozen. The default: no
   * client waits for a frozen page, and no lock is lost unnoticed. Firefox 153 treats pages that
   * are left in the same way. Chromium 156 keeps them, and discards one as soon as another client
   * requests its lock or calls {@code query()}.
   */
  REFUSE,
  /**
   * Locks stay held, and requests keep their places; a request that is granted while the window is
   * frozen holds its lock, and its callback runs once the window resumes. Drawback: no progress, as
   * other clients wait for the frozen window until it resumes or is closed.
   */
  KEEP,
  /**
   * Locks are released. Drawback: no exclusion, as code that a lock protected continues without it
   * after the window resumes. To the window, the lock appears stolen: the promise of the request is
   * rejected with an {@code AbortError} after the window has resumed, and the outcome of the
   * promise of the callback is ignored. A request whose callback has not been called leaves its
   * queue, or releases its lock if it was granted. When the window resumes, the request is repeated
   * at the end of the queue; a steal is repeated as an ordinary request.
   */
  RELEASE
}
