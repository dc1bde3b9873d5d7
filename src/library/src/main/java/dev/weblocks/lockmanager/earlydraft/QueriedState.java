package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.model.LockMode;
import java.util.List;

/**
 * The result of {@code queryState()}: the state of an origin at one moment.
 *
 * @param held the locks, in the order of their grants
 * @param pending the requests, in the order of the queue
 */
public record QueriedState(List<Entry> held, List<Entry> pending) {

  /** A held lock or a waiting request. */
  public record Entry(Scope scope, LockMode mode) {}

  public QueriedState {
    held = List.copyOf(held);
    pending = List.copyOf(pending);
  }
}
