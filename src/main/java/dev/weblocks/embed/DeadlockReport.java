package dev.weblocks.embed;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Requests that wait for too long, or for ever, and why.
 *
 * <p>A circle among those who wait is a deadlock if each of them waits inside of its callback,
 * which nobody can tell from outside; where nothing can happen any more ({@link
 * UserAgent#quiescent()}), all that wait do so for ever, in a circle or behind a lock that nobody
 * gives back.
 *
 * @param late the requests that it is about, in the order of {@code locks}
 * @param locks what was held and who waited at that moment, as {@link UserAgent#locks()} tells it;
 *     with positions if {@link UserAgent.Builder#lockPositions} asked for them
 * @param graph who waited for whom
 */
public record DeadlockReport(List<LockEntry> late, List<LockEntry> locks, WaitForGraph graph) {

  public DeadlockReport {
    late = List.copyOf(late);
    locks = List.copyOf(locks);
  }

  /**
   * A report about all who wait, for those who know that nothing can happen any more.
   *
   * @param locks as {@link UserAgent#locks()} gives them
   */
  public static DeadlockReport of(List<LockEntry> locks) {
    return of(locks.stream().filter(entry -> !entry.isHeld()).toList(), locks);
  }

  static DeadlockReport of(List<LockEntry> late, List<LockEntry> locks) {
    return new DeadlockReport(late, locks, WaitForGraph.of(locks));
  }

  /** Whether there is nobody who waits. */
  public boolean isEmpty() {
    return late.isEmpty();
  }

  /** Whether some who wait do so in a circle. */
  public boolean hasCycle() {
    return !graph.cycles().isEmpty();
  }

  /** Some lines for a log: each late request with what is in its way, then the circles. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (LockEntry request : late) {
      text.append(who(request))
          .append(" has waited ")
          .append(seconds(request.time()))
          .append(" for lock '")
          .append(request.name())
          .append("' (")
          .append(request.mode().name().toLowerCase(Locale.ROOT))
          .append(')')
          .append(at(request))
          .append('\n');
      for (WaitForGraph.Wait wait : graph.waits()) {
        if (wait.request().equals(request)) {
          LockEntry obstacle = wait.obstacle();
          text.append("  ")
              .append(obstacle.isHeld() ? "held by " : "behind the request of ")
              .append(who(obstacle))
              .append(" for ")
              .append(seconds(obstacle.time()))
              .append(at(obstacle))
              .append('\n');
        }
      }
    }
    for (List<WaitForGraph.Wait> cycle : graph.cycles()) {
      Set<String> parties = new LinkedHashSet<>();
      cycle.forEach(wait -> parties.add(who(wait.request())));
      text.append("circle: ")
          .append(parties.stream().collect(Collectors.joining(" waits for ")))
          .append(" waits for ")
          .append(who(cycle.getFirst().request()))
          .append('\n');
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
