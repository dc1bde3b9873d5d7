package dev.weblocks.embed.internal;

/**
 * A listener for broken invariants of Web Locks, each a defect of this library. If the lock
 * listener of a user agent also implements this interface, the invariants are checked after each
 * step of the lock task queue: an exclusive lock is alone on its name, locks of a name are granted
 * in queue order, no grantable request waits, an ended client holds no lock. Invariants that
 * variants suspend are not checked. The cost of a step grows with the number of held locks and
 * waiting requests.
 */
public interface LockInvariantListener {

  /**
   * Reports a broken invariant. Called on the thread that runs the step; must return soon, and not
   * run the driver.
   *
   * @param violation one line of text
   */
  void violated(String violation);
}
