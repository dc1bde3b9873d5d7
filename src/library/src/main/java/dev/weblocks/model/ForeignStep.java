package dev.weblocks.model;

import java.util.List;
import java.util.Objects;

/**
 * A step that a thread other than the owner has taken in a deterministic driver or one of its user
 * agents: for example, a resource loader answered, a lock was requested or a window was closed on
 * another thread. The step takes effect, but its place in the order is not deterministic: the same
 * seed may give another order the next time.
 *
 * @param actor the affected actor: the name of an agent, of a queue, or of the scheduled action
 * @param thread the name of the thread
 * @param place the stack of that thread, innermost frame first
 * @param text the description in one line
 * @see dev.weblocks.embed.DeterministicDriver.Builder#onForeignStep
 */
public record ForeignStep(String actor, String thread, List<StackTraceElement> place, String text) {

  /** Copies the list {@code place}. */
  public ForeignStep {
    Objects.requireNonNull(actor, "actor");
    Objects.requireNonNull(thread, "thread");
    place = List.copyOf(Objects.requireNonNull(place, "place"));
    Objects.requireNonNull(text, "text");
  }
}
