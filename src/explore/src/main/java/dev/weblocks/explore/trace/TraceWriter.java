package dev.weblocks.explore.trace;

import dev.weblocks.model.TraceEvent;
import java.io.IOException;
import java.util.Locale;

/** A writer of one format. Calls are never concurrent. */
interface TraceWriter {

  /** Returns whether the writer takes complete recordings instead of single steps. */
  boolean takesRecordings();

  /**
   * Writes a step of an open recording.
   *
   * @param begin time of the first step of the recording, in nanoseconds
   */
  default void step(String title, TraceEvent step, long begin) throws IOException {}

  default void recording(Recorded recorded) throws IOException {}

  /** Ends the file; called after all recordings are over. */
  default void end() throws IOException {}

  /** Returns the name of a constant in traces, which is in lower case. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
