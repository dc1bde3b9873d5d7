package dev.weblocks.trace;

import dev.weblocks.embed.TraceEvent;
import java.io.IOException;

/** One format. Calls come one at a time. */
interface TraceWriter {

  /** Whether it takes recordings that are over, and not steps as they are told. */
  boolean takesWholes();

  /**
   * A step of a recording that goes on.
   *
   * @param begin when the first step of the recording was taken
   */
  default void step(String title, TraceEvent step, long begin) throws IOException {}

  /** A recording that is over. */
  default void recording(Recorded recorded) throws IOException {}

  /** All recordings are over. */
  default void end() throws IOException {}
}
