package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import java.util.List;

/**
 * Where a user agent tells its owner what script says: a supplement of the user agent. Called on
 * event loops.
 */
public interface Reports {

  /** A console message. */
  void consoleMessage(Realm realm, ConsoleEntry entry);

  /**
   * A console message of the user agent itself.
   *
   * @param level the name of the console function
   */
  default void consoleMessage(Realm realm, String level, String text) {
    consoleMessage(realm, new ConsoleEntry(level, text, 0, List.of(text)));
  }

  /** Script asks for what it wrote to be cleared away. */
  default void consoleCleared(Realm realm) {}

  /** An exception or rejection that no script handled. */
  void uncaughtError(Realm realm, ErrorInformation error);

  /** Reports that go nowhere. */
  Reports NONE =
      new Reports() {
        @Override
        public void consoleMessage(Realm realm, ConsoleEntry entry) {}

        @Override
        public void uncaughtError(Realm realm, ErrorInformation error) {}
      };

  /** The reports of a realm's user agent. */
  static Reports of(Realm realm) {
    return realm.agent().userAgent().supplements().get(Reports.class, () -> NONE);
  }
}
