package dev.weblocks.agent;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the steps of a user agent for somebody who looks, and knows what led to each: a thread
 * has a step that goes on on it, which is the cause of all that is told, queued and enqueued there.
 * Any thread. Where nobody looks there is none of these, and nothing is numbered.
 */
public final class Trace {

  /** What runs later, because of a step. */
  record Caused(Trace trace, long cause, Runnable steps) implements Runnable {
    @Override
    public void run() {
      trace.under(cause, steps);
    }
  }

  private final TraceListener listener;
  private final Clock clock;
  private final AtomicLong last = new AtomicLong();
  private final ThreadLocal<Long> current = ThreadLocal.withInitial(() -> 0L);

  /**
   * A trace without steps.
   *
   * @param clock tells when steps are taken: that of the driver
   */
  public Trace(TraceListener listener, Clock clock) {
    this.listener = listener;
    this.clock = clock;
  }

  /** The id of the step that goes on on this thread; 0 for none. */
  public long current() {
    return current.get();
  }

  /** Tells of a step that follows from the one that goes on here; returns its id. */
  public long tell(TraceListener.Kind kind, String actor, String detail) {
    return tell(kind, actor, detail, current(), null);
  }

  /**
   * Tells of a step.
   *
   * @param cause the id of the step that led to it; 0 if none did
   * @param about what else there is to know; null if that is all
   * @return its id
   */
  public long tell(
      TraceListener.Kind kind,
      String actor,
      String detail,
      long cause,
      TraceStep.@Nullable About about) {
    long id = last.incrementAndGet();
    listener.on(new TraceStep(id, cause, clock.nanoTime(), kind, actor, about, detail));
    return id;
  }

  /** Tells that a task, or a step of a queue, is over. */
  public void ended(long id) {
    listener.ended(id, clock.nanoTime());
  }

  /** Lets a step go on on this thread while something runs. */
  public void under(long id, Runnable steps) {
    long before = enter(id);
    try {
      steps.run();
    } finally {
      leave(before);
    }
  }

  /**
   * Lets a step go on on this thread from now on.
   *
   * @return what {@link #leave} is to be called with
   */
  public long enter(long id) {
    long before = current.get();
    current.set(id);
    return before;
  }

  /** Undoes an {@link #enter}, which has returned this. */
  public void leave(long before) {
    if (before == 0) {
      current.remove();
    } else {
      current.set(before);
    }
  }

  /** Something that runs later, wherever that is, because of the step that goes on here. */
  public Runnable caused(Runnable steps) {
    long cause = current();
    return cause == 0 ? steps : new Caused(this, cause, steps);
  }
}
