package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.ErrorListener;
import dev.weblocks.model.UncaughtError;
import java.util.List;

/** The listeners for console messages and uncaught errors of scripts. Called on event loops. */
public record Reports(ConsoleListener console, ErrorListener errors) {

  static final Reports NONE = new Reports(message -> {}, error -> {});

  public static Reports of(Realm realm) {
    return GlobalSettings.of(realm.agent().userAgent()).reports();
  }

  /** Reports a console message; the parameters are components of {@link ConsoleMessage}. */
  public void consoleMessage(
      Realm realm, String level, String text, int groupDepth, List<String> parts) {
    String url = realm.settings().creationUrl();
    console.message(new ConsoleMessage(level, text, url, groupDepth, parts, realm.agent().name()));
  }

  /**
   * Reports a console message of the user agent itself.
   *
   * @param level the name of the console function
   */
  public void consoleMessage(Realm realm, String level, String text) {
    consoleMessage(realm, level, text, 0, List.of(text));
  }

  public void consoleCleared(Realm realm) {
    console.cleared(realm.settings().creationUrl());
  }

  /** Reports an exception or rejection that no script handled. */
  public void uncaughtError(Realm realm, ErrorInformation error) {
    errors.uncaught(error.uncaught(UncaughtError.Kind.SCRIPT, realm));
  }

  /** Reports an exception, or a syntax error, of a preload script. */
  void preloadFailed(Realm realm, ErrorInformation error) {
    errors.uncaught(error.uncaught(UncaughtError.Kind.PRELOAD, realm));
  }
}
