package dev.weblocks.embed;

import dev.weblocks.locks.HostLock;
import java.util.concurrent.CompletionStage;

/**
 * A lock that Java code got from a {@link LockClient}. It is held until {@link #close()}, {@link
 * #release()}, the end of its client, or until somebody steals it. Thread-safe.
 */
public final class HeldLock implements AutoCloseable {

  /** How a lock ends that nobody gave back. */
  public enum Loss {
    /** Another request stole it; whoever did that has it now. */
    STOLEN,
    /** Its client or user agent was closed. */
    CLIENT_CLOSED
  }

  private final HostLock lock;

  HeldLock(HostLock lock) {
    this.lock = lock;
  }

  /** The resource name. */
  public String name() {
    return lock.name();
  }

  /** The mode in which it was granted. */
  public LockEntry.Mode mode() {
    return LockEntry.Mode.valueOf(lock.mode().name());
  }

  /** Whether it was neither given back nor, as far as is known here, lost. */
  public boolean isHeld() {
    return lock.isHeld();
  }

  /**
   * Completes when the lock is lost without having been given back; never after it was. What
   * depends on it runs where {@link LockClient} says.
   */
  public CompletionStage<Loss> lost() {
    return lock.lost()
        .thenApply(loss ->
            switch (loss) {
              case STOLEN -> Loss.STOLEN;
              case CLIENT_ENDED -> Loss.CLIENT_CLOSED;
            });
  }

  /**
   * Gives the lock back; does nothing if that has happened or it is lost.
   *
   * @return completes when others may have it
   */
  public CompletionStage<Void> release() {
    return lock.release();
  }

  /** Gives the lock back; does nothing if that has happened or it is lost. Returns at once. */
  @Override
  public void close() {
    lock.giveBack();
  }

  @Override
  public String toString() {
    return "lock '" + name() + "', " + mode() + (isHeld() ? ", held" : ", not held any more");
  }
}
