package dev.weblocks.global;

import dev.weblocks.agent.Realm;

/**
 * Where a user agent tells its owner what script says: a supplement of the user agent. Called on
 * event loops.
 */
public interface Reports {

  /**
   * A console message.
   *
   * @param level the name of the console function
   */
  void consoleMessage(Realm realm, String level, String text);

  /** An exception or rejection that no script handled. */
  void uncaughtError(Realm realm, ErrorInformation error);

  /** Reports that go nowhere. */
  Reports NONE =
      new Reports() {
        @Override
        public void consoleMessage(Realm realm, String level, String text) {}

        @Override
        public void uncaughtError(Realm realm, ErrorInformation error) {}
      };

  /** The reports of a realm's user agent. */
  static Reports of(Realm realm) {
    return realm.agent().userAgent().supplements().get(Reports.class, () -> NONE);
  }
}
