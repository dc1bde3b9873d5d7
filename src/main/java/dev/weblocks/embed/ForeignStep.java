package dev.weblocks.embed;

import java.util.List;

/**
 * Something that another thread than its own has done to a deterministic driver, or to a user agent
 * of it: a resource loader that answers on a thread of its own, a lock that is requested or a
 * window that is closed there. It takes effect, but its place in the order was left to chance: the
 * same seed may give another order the next time.
 *
 * @param actor to what it was done: the name of an agent, of a queue, or of what was to be run
 * @param thread the name of the thread
 * @param place where that thread was, innermost first
 * @param text all of it in one line
 * @see Driver.Deterministic#onForeignStep
 */
public record ForeignStep(String actor, String thread, List<StackTraceElement> place, String text) {

  public ForeignStep {
    place = List.copyOf(place);
  }

  static ForeignStep of(dev.weblocks.agent.ForeignStep step) {
    return new ForeignStep(step.actor(), step.thread(), step.place(), step.toString());
  }
}
