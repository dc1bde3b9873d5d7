package dev.weblocks.agent;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A finished turn, with its effects on other actors.
 *
 * @param number the number of the turn, from 1, without gaps
 * @param actor the name of the actor
 * @param step the description that {@link Actor#nextStep()} returned before the turn
 * @param cause the number of the turn that queued the task or step of this turn; 0 for none or if
 *     unknown
 * @param woken the names of the actors that the turn woke, in order; may include {@code actor}
 * @param reached the ways by which the turn reached shared state, in order, see {@link TurnLog}
 */
public record Turn(
    long number, String actor, String step, long cause, Set<String> woken, Set<String> reached) {

  /** Copies both sets and keeps their order, unlike {@link Set#copyOf}. */
  public Turn {
    woken = Collections.unmodifiableSet(new LinkedHashSet<>(woken));
    reached = Collections.unmodifiableSet(new LinkedHashSet<>(reached));
  }
}
