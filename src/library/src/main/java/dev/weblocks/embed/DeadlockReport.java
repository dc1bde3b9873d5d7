package dev.weblocks.embed;

import dev.weblocks.model.LockEntry;
import java.util.List;
import java.util.Objects;

/**
 * A report on requests that wait for too long, or forever, and their causes.
 *
 * <p>A cycle of waiting requests is a deadlock if each client in it waits inside the callback of a
 * lock that it holds. Whether a client waits there cannot be detected from outside. Once the user
 * agent is quiescent ({@link UserAgent#quiescent()}), all waiting requests wait forever: in a
 * cycle, or behind a lock that is never released.
 *
 * @param late the reported requests, in the order of {@code locks}
 * @param locks the held locks and waiting requests when the report was made, as returned by {@link
 *     UserAgent#locks()}; with positions if {@link UserAgent.Builder#lockPositions} is set
 * @param graph the wait-for graph of {@code locks}
 */
public record DeadlockReport(List<LockEntry> late, List<LockEntry> locks, WaitForGraph graph) {

  /** Copies both lists. */
  public DeadlockReport {
    late = List.copyOf(Objects.requireNonNull(late, "late"));
    locks = List.copyOf(Objects.requireNonNull(locks, "locks"));
    Objects.requireNonNull(graph, "graph");
  }

  /**
   * Returns a report on all waiting requests; for a user agent that is quiescent.
   *
   * @param locks as returned by {@link UserAgent#locks()}
   */
  public static DeadlockReport of(List<LockEntry> locks) {
    Objects.requireNonNull(locks, "locks");
    return of(locks.stream().filter(entry -> !entry.isHeld()).toList(), locks);
  }

  static DeadlockReport of(List<LockEntry> late, List<LockEntry> locks) {
    return new DeadlockReport(late, locks, WaitForGraph.of(locks));
  }

  /** Returns whether no request is reported. */
  public boolean isEmpty() {
    return late.isEmpty();
  }

  /** Returns whether there is a cycle of waits. */
  public boolean hasCycle() {
    return !graph.cycles().isEmpty();
  }

  /**
   * Returns lines for a log: each late request with the locks and requests that it waits for, then
   * the cycles of waits.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (LockEntry request : late) {
      text.append(
          "%s has waited %s for %s%s\n"
              .formatted(who(request), Driver.text(request.age()), lock(request), at(request)));
      for (WaitForGraph.Wait wait : graph.waits()) {
        if (wait.request().equals(request)) {
          text.append("  ").append(obstacle(wait.obstacle())).append('\n');
        }
      }
    }
    for (List<WaitForGraph.Wait> cycle : graph.cycles()) {
      text.append("cycle: ");
      cycle.stream()
          .map(wait -> who(wait.request()) + " waits for ")
          .distinct()
          .forEach(text::append);
      text.append(who(cycle.getFirst().request())).append('\n');
    }
    return text.toString().stripTrailing();
  }

  /**
   * Returns the lock of a waiting request and its obstacles, in one line.
   *
   * @param locks contain the request
   */
  static String describe(LockEntry request, List<LockEntry> locks) {
    List<String> obstacles =
        WaitForGraph.of(locks).waits().stream()
            .filter(wait -> wait.request().equals(request))
            .map(wait ->
                wait.isForItself() && wait.obstacle().isHeld()
                    ? "held by itself, as locks are not reentrant"
                    : obstacle(wait.obstacle()))
            .toList();
    return lock(request) + (obstacles.isEmpty() ? "" : ", " + String.join(", ", obstacles));
  }

  private static String lock(LockEntry request) {
    return "lock '%s' (%s)".formatted(request.name(), request.mode().idlValue());
  }

  private static String obstacle(LockEntry entry) {
    return (entry.isHeld() ? "held by " : "behind the request of ")
        + who(entry)
        + " for "
        + Driver.text(entry.age())
        + at(entry);
  }

  private static String who(LockEntry entry) {
    return entry.agent().isEmpty() ? entry.clientId() : entry.agent();
  }

  private static String at(LockEntry entry) {
    return entry.position() == null ? "" : ", at " + entry.position();
  }
}
