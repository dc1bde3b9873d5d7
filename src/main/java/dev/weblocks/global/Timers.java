package dev.weblocks.global;

import dev.weblocks.agent.EventLoop;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one global.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timers">HTML</a>
 */
final class Timers {

  private static final class Entry {
    EventLoop.@Nullable Timer timer;
  }

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Realm realm;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#map-of-settimeout-and-setinterval-ids">map
   * of setTimeout and setInterval IDs</a>
   */
  private final Map<Integer, Entry> byId = new HashMap<>();

  private int lastId;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timer-nesting-level">timer
   * nesting level</a> of the task that runs, 0 outside timer tasks
   */
  private int nestingLevel;

  Timers(Realm realm) {
    this.realm = realm;
  }

  /**
   * Starts a timer.
   *
   * @param millis may be negative
   * @param steps invokes the handler
   * @return the id, positive
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timer-initialisation-steps">timer
   *     initialization steps</a>
   */
  int initialize(int millis, boolean repeat, String label, Runnable steps) {
    int id = ++lastId;
    Entry entry = new Entry();
    byId.put(id, entry);
    arm(id, entry, millis, repeat, label, steps, nestingLevel);
    return id;
  }

  private void arm(
      int id,
      Entry entry,
      int millis,
      boolean repeat,
      String label,
      Runnable steps,
      int callerNestingLevel) {
    // 4. and 5.
    int timeout = Math.max(0, millis);
    if (callerNestingLevel > 5 && timeout < 4) {
      timeout = 4;
    }
    // 10. and 11.
    int level = callerNestingLevel + 1;
    // 13.: run steps after a timeout, then queue a task
    entry.timer =
        realm
            .agent()
            .eventLoop()
            .startTimer(
                timeout * NANOS_PER_MILLI,
                () ->
                    realm.queueTask(
                        TaskSource.TIMER,
                        label,
                        () -> {
                          // 8.1: cleared meanwhile, or the id belongs to another timer
                          if (byId.get(id) != entry) {
                            return;
                          }
                          int outer = nestingLevel;
                          nestingLevel = level;
                          try {
                            steps.run();
                          } finally {
                            nestingLevel = outer;
                          }
                          // 8.8 and 8.9
                          if (byId.get(id) == entry) {
                            if (repeat) {
                              arm(id, entry, millis, true, label, steps, level);
                            } else {
                              byId.remove(id);
                            }
                          }
                        }));
  }

  /** Clears a timer; unknown ids do nothing. */
  void clear(int id) {
    Entry entry = byId.remove(id);
    if (entry != null && entry.timer != null) {
      realm.agent().eventLoop().cancelTimer(entry.timer);
    }
  }
}
