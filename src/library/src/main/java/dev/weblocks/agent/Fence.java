package dev.weblocks.agent;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The boundary between the script of an agent and Java code. It is closed when script does not stop
 * in time, as in a long operation of the engine that cannot be cancelled: script may continue to
 * run then, but every call into Java and every return to Java is refused. So it cannot act on
 * anything outside of its context.
 *
 * <p>The thread that runs the agent records each crossing before it checks whether the fence is
 * closed; the closing thread closes the fence before it reads the record. So no crossing is missed.
 */
public final class Fence {

  /** The kind of code that the thread of the agent runs. */
  public enum Position {
    /** No turn of the agent runs, or the script was started by the embedder outside of turns. */
    OUTSIDE,
    IN_JAVA,
    IN_SCRIPT,
    /** Java code that makes the exception for a refused call. */
    REFUSING
  }

  private static final Clock REAL_TIME = new SystemClock();

  // written by the thread that runs the agent, which is one at a time
  private volatile Position position = Position.OUTSIDE;

  private volatile boolean closed;

  /** Runs when the thread that was given up is outside; null for none. Guarded by this. */
  private @Nullable Runnable onReturn;

  Fence() {}

  /**
   * Records that Java code of the agent begins to run. Script calls it, or a turn begins.
   *
   * @return the position to restore with {@link #leaveJava}; null if the fence is closed: the
   *     caller must do nothing that is visible outside of the context
   */
  public @Nullable Position enterJava() {
    Position before = position;
    position = Position.IN_JAVA;
    if (closed) {
      leaveJava(before);
      return null;
    }
    return before;
  }

  /** Records that Java code of the agent returns. */
  public void leaveJava(Position before) {
    position = before;
    if (closed) {
      moved();
    }
  }

  /**
   * Runs Java code that has no effect outside of the context, although the fence is closed: it
   * makes or reads the exception for script whose call was refused.
   */
  public <T extends @Nullable Object> T outside(Supplier<T> steps) {
    Position before = position;
    position = Position.REFUSING;
    try {
      return steps.get();
    } finally {
      position = before;
    }
  }

  /**
   * Records that Java code calls script.
   *
   * @return the position to restore with {@link #leaveScript}
   * @throws IllegalStateException if the fence was closed during the Java step of the caller
   */
  Position enterScript() {
    Position before = position;
    if (!closed) {
      position = Position.IN_SCRIPT;
    } else if (before == Position.IN_JAVA) {
      throw refusal();
    }
    return before;
  }

  /**
   * Records that script has returned to Java.
   *
   * @throws IllegalStateException if the fence was closed meanwhile
   */
  void leaveScript(Position before) {
    position = before;
    if (closed && before == Position.IN_JAVA) {
      moved();
      throw refusal();
    }
  }

  private static IllegalStateException refusal() {
    return new IllegalStateException("the agent has ended while its script was running");
  }

  /** Wakes the closing thread, and reports the return of a thread that was given up. */
  private void moved() {
    Runnable report = null;
    synchronized (this) {
      notifyAll();
      if (position == Position.OUTSIDE) {
        report = onReturn;
        onReturn = null;
      }
    }
    if (report != null) {
      report.run();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Closes the fence and waits until no Java step of the agent is in progress. Callable on any
   * thread but that of the agent.
   *
   * @param nanos the maximum real time to wait
   * @return false if a Java step is still in progress
   */
  synchronized boolean close(long nanos) {
    closed = true;
    long deadline = REAL_TIME.nanoTime() + nanos;
    boolean interrupted = false;
    while (position == Position.IN_JAVA) {
      long left = deadline - REAL_TIME.nanoTime();
      if (left <= 0) {
        break;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return position != Position.IN_JAVA;
  }

  /**
   * Gives up the thread inside, if there is one.
   *
   * @param returned runs when that thread is outside; never if there is none
   * @return whether there is one
   */
  synchronized boolean abandonThread(Runnable returned) {
    if (position == Position.OUTSIDE) {
      return false;
    }
    onReturn = returned;
    return true;
  }
}
