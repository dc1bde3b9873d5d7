package dev.weblocks.harness.wpt;

import java.util.UUID;
import java.util.function.Supplier;

/** The environment of one test: the browser of its page, and its time. */
public interface Stage {

  Browser browser();

  /** Returns the timers that the test and its server use. */
  Timers timers();

  /** Returns the source of values for {@code {{uuid()}}}. */
  Supplier<UUID> ids();

  /** Returns whether its time is virtual. Virtual time may stop permanently. */
  default boolean isVirtual() {
    return false;
  }

  /** Returns the number of steps ended, if its time is virtual. Any thread. */
  default long steps() {
    return 0;
  }

  /**
   * Called when the test is decided, so that its page need not continue. Called once, on any
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
