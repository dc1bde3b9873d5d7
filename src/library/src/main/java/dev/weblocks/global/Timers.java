package dev.weblocks.global;

import dev.weblocks.agent.EventLoop;
import dev.weblocks.agent.LimitExceeded;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.model.Limit;
import java.util.HashMap;
import java.util.List;
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
   * The <a
   * href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timer-nesting-level">timer
   * nesting level</a> of the running task, 0 outside timer tasks. Per agent, because a timer of one
   * global may start timers of another global.
   */
  private static final class NestingLevel {
    int current;
  }

  private final NestingLevel nestingLevel;

  Timers(Realm realm) {
    this.realm = realm;
    this.nestingLevel = realm.agent().supplements().get(NestingLevel.class, NestingLevel::new);
    realm.onDiscard(this::clearAll);
  }

  /** Clears all timers; a no-op if the agent has ended, because its event loop has dropped them. */
  private void clearAll() {
    if (realm.agent().eventLoop().isOnLoop()) {
      List.copyOf(byId.keySet()).forEach(this::clear);
    }
  }

  /**
   * Starts a timer.
   *
   * @param millis the timeout in milliseconds; may be negative
   * @param steps invokes the handler
   * @return the id, positive
   * @throws LimitExceeded if too many timers are pending
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timer-initialisation-steps">timer
   *     initialization steps</a>
   */
  int initialize(int millis, boolean repeat, String label, Runnable steps) {
    int limit = realm.agent().userAgent().configuration().limits().timersPerGlobal();
    if (byId.size() >= limit) {
      throw realm
          .agent()
          .refusal(
              Limit.TIMERS_PER_GLOBAL,
              "Failed to start a timer: " + limit + " timers are pending, which is the limit.");
    }
    // 2.
    do {
      lastId = lastId == Integer.MAX_VALUE ? 1 : lastId + 1;
    } while (byId.containsKey(lastId));
    int id = lastId;
    Entry entry = new Entry();
    byId.put(id, entry);
    // 3.
    arm(id, entry, millis, repeat, label, steps, nestingLevel.current);
    // 15.
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
                          // 9.2 and 9.3: cleared meanwhile, or the id was reused
                          if (byId.get(id) != entry) {
                            return;
                          }
                          int outer = nestingLevel.current;
                          nestingLevel.current = level;
                          try {
                            // 9.5 and 9.6
                            steps.run();
                          } finally {
                            nestingLevel.current = outer;
                          }
                          // 9.7 to 9.10
                          if (byId.get(id) == entry) {
                            if (repeat) {
                              arm(id, entry, millis, true, label, steps, level);
                            } else {
                              byId.remove(id);
                            }
                          }
                        }));
  }

  /** Clears a timer; a no-op for an unknown id. */
  void clear(int id) {
    Entry entry = byId.remove(id);
    if (entry != null && entry.timer != null) {
      realm.agent().eventLoop().cancelTimer(entry.timer);
    }
  }
}
