package dev.weblocks.model;

import java.util.List;
import java.util.Objects;

/**
 * The held locks and waiting requests of one origin and bucket at one moment, as {@code query()}
 * returns them to script. {@link dev.weblocks.embed.UserAgent#locks()} has more data, for all
 * origins.
 *
 * @param held the locks in the order of their grants, over all names
 * @param pending the requests, grouped by name, in queue order within each name; the names in the
 *     order in which each came into use
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dictdef-lockmanagersnapshot">
 *     LockManagerSnapshot</a>
 */
public record LockManagerSnapshot(List<LockInfo> held, List<LockInfo> pending) {

  /** Copies both lists. */
  public LockManagerSnapshot {
    held = List.copyOf(Objects.requireNonNull(held, "held"));
    pending = List.copyOf(Objects.requireNonNull(pending, "pending"));
  }
}
