package dev.weblocks.agent;

import dev.weblocks.model.TraceKind;
import org.jspecify.annotations.Nullable;

/**
 * One step of a user agent, as a {@link TraceListener} receives it.
 *
 * @param id the unique id, from 1; higher than that of the step that led to it
 * @param cause the id of the step that led to it; 0 for none, as for requests of the embedder
 * @param nanos the time, by the clock of the driver
 * @param kind what happened
 * @param actor the event loop or queue that took the step
 * @param about further details; null for none
 * @param detail human-readable; the same for the same step of the same program and seed
 */
public record TraceStep(
    long id,
    long cause,
    long nanos,
    TraceKind kind,
    String actor,
    @Nullable About about,
    String detail) {

  /** Details of a step, defined by the package that it belongs to. */
  public interface About {}
}
