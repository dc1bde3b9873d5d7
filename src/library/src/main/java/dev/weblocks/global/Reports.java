package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import java.util.List;

/** The listener for console messages and uncaught errors of scripts. Called on event loops. */
public interface Reports {

  /** Receives a console message. */
  void consoleMessage(Realm realm, ConsoleEntry entry);

  /**
   * Receives a console message of the user agent itself.
   *
   * @param level the name of the console function
   */
  default void consoleMessage(Realm realm, String level, String text) {
    consoleMessage(realm, new ConsoleEntry(level, text, 0, List.of(text)));
  }

  default void consoleCleared(Realm realm) {}

  /** Receives an exception or rejection that no script handled. */
  void uncaughtError(Realm realm, ErrorInformation error);

  /** Receives an exception, or a syntax error, of a preload script. */
  void preloadFailed(Realm realm, ErrorInformation error);

  Reports NONE =
      new Reports() {
        @Override
        public void consoleMessage(Realm realm, ConsoleEntry entry) {}

        @Override
        public void uncaughtError(Realm realm, ErrorInformation error) {}

        @Override
        public void preloadFailed(Realm realm, ErrorInformation error) {}
      };

  static Reports of(Realm realm) {
    return GlobalSettings.of(realm.agent().userAgent()).reports();
  }
}
