package dev.weblocks.explore.trace;

import dev.weblocks.model.TraceEvent;
import java.util.List;
import java.util.Map;

/**
 * A recording that is over.
 *
 * @param note further information, such as the seed; may be empty
 * @param steps the steps in the order of their ids
 * @param ends ends of tasks and of steps of queues, by the ids of their trace events
 */
record Recorded(
    String title, String note, Names names, List<TraceEvent> steps, Map<Long, End> ends) {

  /**
   * The end of a task or of a step of a queue.
   *
   * @param nanos time of the end
   * @param lastId highest id of the steps reported before the end
   */
  record End(long nanos, long lastId) {}
}
