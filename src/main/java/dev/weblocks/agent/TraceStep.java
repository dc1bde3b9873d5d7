package dev.weblocks.agent;

import org.jspecify.annotations.Nullable;

/**
 * One step of a user agent, as a {@link TraceListener} is told of it.
 *
 * @param id from 1, never the same twice; higher than that of the step that led to it
 * @param cause the id of the step that led to it; 0 if none did, as for what the embedder asks for
 * @param nanos when, by the clock of the driver
 * @param kind what happened
 * @param actor the event loop or queue that did it
 * @param about what else there is to know; null if that is all
 * @param detail human-readable; the same for the same step of the same program and seed
 */
public record TraceStep(
    long id,
    long cause,
    long nanos,
    TraceListener.Kind kind,
    String actor,
    @Nullable About about,
    String detail) {

  /** What the package that a step belongs to knows of it. */
  public interface About {}
}
