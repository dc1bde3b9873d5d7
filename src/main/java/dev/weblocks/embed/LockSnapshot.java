package dev.weblocks.embed;

import java.util.List;

/**
 * Who holds and who waits for the locks of one origin and bucket, as {@code query()} tells script.
 * {@link UserAgent#locks()} tells more, and of all origins.
 *
 * @param held in the order of the grants, over all names
 * @param pending name by name, those of a name in the order of its queue
 */
public record LockSnapshot(List<Entry> held, List<Entry> pending) {

  /** Copies both lists. */
  public LockSnapshot {
    held = List.copyOf(held);
    pending = List.copyOf(pending);
  }

  /**
   * A lock that is held, or a request that waits.
   *
   * @param name the resource name
   * @param mode held or asked for
   * @param clientId of the document, worker or {@link LockClient}
   */
  public record Entry(String name, LockEntry.Mode mode, String clientId) {}
}
