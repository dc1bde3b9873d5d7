package dev.weblocks.lockmanager.message;

import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockMode;
import java.time.Duration;

/**
 * A held lock or a waiting request, as shown by a diagnosis.
 *
 * @param id of the request, and of the lock that it becomes; a lock of several names has one state
 *     for each name
 * @param options of the request
 * @param place in the queue of the name, from 1; 0 for a lock that is held
 * @param sinceNanos when the lock was granted or the request began to wait, by the driver's clock
 */
public record LockState(
    RequestId id,
    ManagerId manager,
    LockOptions options,
    int place,
    LockRequester requester,
    long sinceNanos) {

  /** Returns whether this is a held lock rather than a waiting request. */
  public boolean isHeld() {
    return place == 0;
  }

  /** Returns the resource name. */
  public String name() {
    return options.name();
  }

  /** Returns the mode of the lock or of the request. */
  public LockMode mode() {
    return options.mode();
  }

  /**
   * Returns the entry for the embedder.
   *
   * @param now the time of the diagnosis, by the clock of {@code sinceNanos}
   */
  public LockEntry entry(long now) {
    return new LockEntry(
        requester.origin(),
        manager.bucket(),
        manager.value(),
        options.name(),
        options.mode(),
        place,
        id.sequence(),
        options.reentrant(),
        id.client().value(),
        requester.agent(),
        requester.url(),
        Duration.ofNanos(Math.max(0, now - sinceNanos)),
        options.position());
  }

  /** Returns the client of the lock or request. */
  public ClientId client() {
    return id.client();
  }
}
