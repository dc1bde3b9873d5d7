package dev.weblocks.agent;

import dev.weblocks.model.Limit;
import dev.weblocks.model.LimitEvent;
import dev.weblocks.model.LimitListener;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** The number of times that each limit of a user agent was reached. Thread-safe. */
public final class ReachedLimits {

  private final LimitListener listener;
  private final AtomicLongArray counts = new AtomicLongArray(Limit.values().length);

  /** The limits that an agent, or else Java code, has reached. */
  private record Known(Set<Limit> limits) {
    Known() {
      this(ConcurrentHashMap.newKeySet());
    }
  }

  private final Known reachedByJava = new Known();

  ReachedLimits(LimitListener listener) {
    this.listener = listener;
  }

  /**
   * Counts one refusal, wait or end because of a limit. Calls the listener if it is the first one
   * of this limit and agent. Callable on any thread.
   *
   * @param agent null if Java code reached the limit
   * @param message the limit, its value, and what happens
   */
  public void add(@Nullable Agent agent, Limit limit, String message) {
    counts.incrementAndGet(limit.ordinal());
    Known known = agent == null ? reachedByJava : agent.supplements().get(Known.class, Known::new);
    if (known.limits.add(limit)) {
      listener.reached(new LimitEvent(limit, message, agent == null ? "" : agent.name()));
    }
  }

  /** Counts a reached limit, reports it as an error, and ends the agent. Callable on any thread. */
  void end(Agent agent, Limit limit, String message) {
    add(agent, limit, message);
    agent.endAfter(limit + " of " + agent.name(), new LimitExceeded(message));
  }

  /** Returns the counts; a limit that was never reached is absent. Callable on any thread. */
  public Map<Limit, Long> counts() {
    Map<Limit, Long> all = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      long count = counts.get(limit.ordinal());
      if (count > 0) {
        all.put(limit, count);
      }
    }
    return all;
  }
}
