package dev.weblocks.harness.wpt;

import java.util.UUID;
import java.util.function.Supplier;

/** The environment of one test: a browser for its page, timers, and a source of ids. */
public interface Stage {

  Browser browser();

  /** Returns the timers that the test and its server use. */
  Timers timers();

  /** Returns the source of values for {@code {{uuid()}}}. */
  Supplier<UUID> ids();

  /**
   * Returns whether the time of the test is virtual. Virtual time does not advance during a step,
   * even if the step never ends.
   */
  default boolean isVirtual() {
    return false;
  }

  /**
   * Returns the number of completed steps in virtual time; 0 in real time. May be called on any
   * thread.
   */
  default long steps() {
    return 0;
  }

  /**
   * Called when the outcome of the test is decided; its page need not continue. Called once, on any
   * thread.
   *
   * @param then to be run after the current step of the test, on any thread; must return soon
   */
  default void decided(Runnable then) {
    then.run();
  }

  /** A stage in real time. */
  record Real(Browser browser, Timers timers, Supplier<UUID> ids) implements Stage {}
}
