package dev.weblocks.embed;

import dev.weblocks.locks.HostLock;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.LockMode;
import java.util.concurrent.CompletableFuture;

/**
 * A lock that was granted to Java code by a {@link LockClient}. It is held until {@link #close()},
 * {@link #release()}, the end of its client, or a steal. Thread-safe.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="heldLock"}
 */
public final class HeldLock implements AutoCloseable {

  private final HostLock lock;

  HeldLock(HostLock lock) {
    this.lock = lock;
  }

  /** Returns the resource name. */
  public String name() {
    return lock.name();
  }

  /** Returns the mode in which the lock was granted. */
  public LockMode mode() {
    return lock.mode();
  }

  /**
   * Returns whether the lock is held: neither released nor lost. A steal changes the result only
   * after a short delay.
   */
  public boolean isHeld() {
    return lock.isHeld();
  }

  /**
   * Returns the fencing token of this lock: a positive number, greater than those of all locks that
   * were granted before. A resource that remembers the greatest token it has seen, and refuses
   * smaller ones, is safe from a holder that has lost its lock without knowing it yet. With a
   * {@link LockBackend}, it counts the grants of all that share the locks; otherwise those to Java
   * code in this user agent.
   */
  public long fencingToken() {
    return lock.fencingToken();
  }

  /**
   * Returns a future that completes if the lock is lost before it is released; otherwise never.
   * Dependents run as described in {@link LockClient}.
   */
  public CompletableFuture<LockLoss> lost() {
    return lock.lost().toCompletableFuture();
  }

  /**
   * Releases the lock; no-op if it has already been released or lost.
   *
   * @return a future that completes when the lock can be granted to others
   */
  public CompletableFuture<Void> release() {
    return lock.release().toCompletableFuture();
  }

  /**
   * Releases the lock; no-op if it has already been released or lost. Returns at once: later
   * requests of the same user agent see the lock free, those of others a moment later.
   */
  @Override
  public void close() {
    lock.giveBack();
  }

  @Override
  public String toString() {
    return "lock '" + name() + "', " + mode() + (isHeld() ? ", held" : ", no longer held");
  }
}
