package dev.weblocks.embed;

import dev.weblocks.model.LockMode;
import java.util.List;
import java.util.Objects;

/**
 * The held locks and waiting requests of one origin and bucket, as {@code query()} returns them to
 * script. {@link UserAgent#locks()} has more data, for all origins.
 *
 * @param held the locks in the order of their grants, over all names
 * @param pending the requests, grouped by name, in queue order within each name
 */
public record LockSnapshot(List<Entry> held, List<Entry> pending) {

  /** Copies both lists. */
  public LockSnapshot {
    held = List.copyOf(Objects.requireNonNull(held, "held"));
    pending = List.copyOf(Objects.requireNonNull(pending, "pending"));
  }

  /**
   * A held lock or a waiting request.
   *
   * @param name the resource name
   * @param mode the mode of the lock or request
   * @param clientId of the document, worker or {@link LockClient}
   */
  public record Entry(String name, LockMode mode, String clientId) {

    public Entry {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(clientId, "clientId");
    }
  }
}
