package dev.weblocks.embed;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
          "%s has waited %s for lock '%s' (%s)%s\n"
              .formatted(
                  who(request),
                  seconds(request.age()),
                  request.name(),
                  request.mode().idlValue(),
                  at(request)));
      for (WaitForGraph.Wait wait : graph.waits()) {
        if (wait.request().equals(request)) {
          LockEntry obstacle = wait.obstacle();
          text.append(obstacle.isHeld() ? "  held by " : "  behind the request of ")
              .append(who(obstacle) + " for " + seconds(obstacle.age()) + at(obstacle) + "\n");
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

  private static String who(LockEntry entry) {
    return entry.agent().isEmpty() ? entry.clientId() : entry.agent();
  }

  private static String at(LockEntry entry) {
    return entry.position() == null ? "" : ", at " + entry.position();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toNanos() / 1e9);
  }
}
