package dev.weblocks.agent;

import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The trace of a user agent: numbers the steps of the user agent and records the cause of each. A
 * thread has a current step, the cause of all steps that the thread reports or queues. Thread-safe.
 * Without a listener there is no trace, and no step is numbered.
 */
public final class Trace {

  private final TraceListener listener;
  private final Clock clock;
  private final AtomicLong last = new AtomicLong();
  private final ThreadLocal<Long> current = ThreadLocal.withInitial(() -> 0L);

  /**
   * Creates a trace without steps.
   *
   * @param clock the clock of the driver, for the times of steps
   */
  public Trace(TraceListener listener, Clock clock) {
    this.listener = listener;
    this.clock = clock;
  }

  /** Returns the id of the current step of this thread; 0 for none. */
  public long current() {
    return current.get();
  }

  /** Reports a step caused by the current step of this thread; returns its id. */
  public long report(TraceKind kind, String actor, String detail) {
    return report(kind, actor, detail, current());
  }

  /** Reports a step; {@code cause} is the id of the step that led to it, 0 if none did. */
  public long report(TraceKind kind, String actor, String detail, long cause) {
    return report(kind, actor, detail, cause, null, null);
  }

  /**
   * Reports a step.
   *
   * @param cause the id of the step that led to it; 0 if none did
   * @param spec the step of the draft; null for none
   * @param lock the request or lock, and its client; null for none
   * @return its id
   */
  public long report(
      TraceKind kind,
      String actor,
      String detail,
      long cause,
      TraceEvent.@Nullable Spec spec,
      TraceEvent.@Nullable Lock lock) {
    long id = last.incrementAndGet();
    Duration time = Duration.ofNanos(clock.nanoTime());
    listener.on(new TraceEvent(id, kind, actor, cause, time, spec, lock, detail));
    return id;
  }

  /** Reports that a task, or a step of a queue, is over. */
  public void ended(long id) {
    listener.ended(id, Duration.ofNanos(clock.nanoTime()));
  }

  /** Makes a step the current one of this thread while {@code steps} runs. */
  public void under(long id, Runnable steps) {
    long before = enter(id);
    try {
      steps.run();
    } finally {
      leave(before);
    }
  }

  /**
   * Makes a step the current one of this thread.
   *
   * @return the argument for {@link #leave}
   */
  public long enter(long id) {
    long before = current.get();
    current.set(id);
    return before;
  }

  /** Undoes the {@link #enter} that returned {@code before}. */
  public void leave(long before) {
    if (before == 0) {
      current.remove();
    } else {
      current.set(before);
    }
  }

  /** Wraps steps that run later, on any thread, with the current step of this thread as cause. */
  public Runnable caused(Runnable steps) {
    long cause = current();
    return cause == 0 ? steps : () -> under(cause, steps);
  }
}
