package dev.weblocks.embed;

/**
 * What becomes of the locks of a window, and of its dedicated workers, when it freezes. The text of
 * Web Locks says nothing about it. Each answer gives something up.
 */
public enum FrozenLocks {
  /**
   * A window that holds or awaits a lock, itself or in a worker, is not frozen. The default: nobody
   * waits for a page that does nothing, and nobody's lock is gone behind its back. It is also what
   * browsers do.
   */
  REFUSE,
  /**
   * Locks stay held, and requests keep their places; one that is granted meanwhile holds its lock,
   * and its callback runs once the window resumes. Gives up progress: others wait for the frozen
   * window until it resumes or is closed.
   */
  KEEP,
  /**
   * Locks pass on. Gives up exclusion: code that a lock protected goes on after the window resumes,
   * without it. To that window it is as if the lock had been stolen: the promise of the request is
   * rejected with an {@code AbortError} after the window has resumed, and what the promise of the
   * callback comes to is ignored. A request whose callback has not been called leaves its queue,
   * gives back a lock that was granted to it already, and is made again when the window resumes, at
   * the end of the queue; a request that stole waits like any other then.
   */
  RELEASE
}
