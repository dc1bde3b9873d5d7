package dev.weblocks.wpt;

import java.util.UUID;
import java.util.function.Supplier;

/** What one test runs on: where its page opens, and the time that passes there. */
public interface Stage {

  Browser browser();

  /** By which the test, and the server that it has, measure time. */
  Timers timers();

  /** Makes what {@code {{uuid()}}} stands for. */
  Supplier<UUID> ids();

  /** Whether its time is not that of the world: then it may stand still there for ever. */
  default boolean isVirtual() {
    return false;
  }

  /** How many steps have ended, where its time is virtual. Any thread. */
  default long steps() {
    return 0;
  }

  /**
   * The test is decided: its page need not go on. Called once, on any thread.
   *
   * @param then runs as soon as what the test did last is over, on any thread; short
   */
  default void decided(Runnable then) {
    then.run();
  }

  /** A stage in the time of the world. */
  static Stage real(Browser browser, Timers timers, Supplier<UUID> ids) {
    return new Stage() {
      @Override
      public Browser browser() {
        return browser;
      }

      @Override
      public Timers timers() {
        return timers;
      }

      @Override
      public Supplier<UUID> ids() {
        return ids;
      }
    };
  }
}
