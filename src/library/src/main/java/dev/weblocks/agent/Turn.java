package dev.weblocks.agent;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A finished turn, with its effects on other actors.
 *
 * @param number from 1, without a gap
 * @param actor the name of the actor
 * @param step what it did, as returned before by {@link Actor#nextStep()}
 * @param cause the number of the turn in which the task or step that it ran was queued; 0 for none,
 *     or if that is not known
 * @param woken the names of the actors that it woke, in order; may include its own
 * @param reached the ways by which it reached shared state, in order, see {@link TurnLog}
 */
public record Turn(
    long number, String actor, String step, long cause, Set<String> woken, Set<String> reached) {

  /** Copies both sets in their order, as {@link Set#copyOf} has another order in each JVM. */
  public Turn {
    woken = Collections.unmodifiableSet(new LinkedHashSet<>(woken));
    reached = Collections.unmodifiableSet(new LinkedHashSet<>(reached));
  }
}
