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
   * Returns whether the test has virtual time, which stands still in a step, even an endless step.
   */
  default boolean isVirtual() {
    return false;
  }

  /**
   * Returns the number of steps completed in virtual time; 0 in real time. Callable on any thread.
   */
  default long steps() {
    return 0;
  }

  /**
   * Called once, on any thread, when the test's outcome is decided; its page need not continue.
   *
   * @param then to be run after the current step of the test, on any thread; must return soon
   */
  default void decided(Runnable then) {
    then.run();
  }

  /** A stage in real time. */
  record Real(Browser browser, Timers timers, Supplier<UUID> ids) implements Stage {}
}
