package dev.weblocks.binding;

import java.util.function.Consumer;
import org.graalvm.polyglot.Value;

/** The reaction to a promise that was settled; called once, on the event loop. */
@FunctionalInterface
public interface Reaction {

  /**
   * Called when the promise is settled.
   *
   * @param value the value that the promise was fulfilled with, or the reason of its rejection
   */
  void settled(boolean fulfilled, Value value);

  /** Returns a reaction that passes the value to one of two consumers. */
  static Reaction of(Consumer<Value> onFulfilled, Consumer<Value> onRejected) {
    return (fulfilled, value) -> (fulfilled ? onFulfilled : onRejected).accept(value);
  }

  /**
   * Called in place of {@link #settled} if a callback did not complete: the embedder interrupted
   * it, or memory ran out. Must not run script in this turn. An exception from this method counts
   * as a defect.
   *
   * @param failure the exception that ended the callback
   */
  default void brokeOff(Throwable failure) {
    Callbacks.rethrow(failure);
  }
}
