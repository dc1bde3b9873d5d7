package dev.weblocks.agent;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A turn that is over, with what it did to others.
 *
 * @param number from 1, without a gap
 * @param actor the name of whose turn it was
 * @param step what it did, as {@link Actor#nextStep()} told before
 * @param cause the number of the turn in which the task or step that it ran was queued; 0 for none,
 *     or if that is not known
 * @param woken the names of the actors that it gave work to, its own maybe, in this order
 * @param reached by which ways it left its actor, in this order, see {@link TurnLog}
 */
public record Turn(
    long number, String actor, String step, long cause, Set<String> woken, Set<String> reached) {

  /** Copies both sets, in their order: that of {@link Set#copyOf} is another one in each JVM. */
  public Turn {
    woken = Collections.unmodifiableSet(new LinkedHashSet<>(woken));
    reached = Collections.unmodifiableSet(new LinkedHashSet<>(reached));
  }
}
