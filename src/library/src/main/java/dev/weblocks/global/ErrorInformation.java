package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.dom.Event;
import dev.weblocks.model.UncaughtError;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The information about an exception that script did not catch.
 *
 * @param message as {@code ErrorEvent.message} shows it
 * @param filename URL of the script, empty if unknown
 * @param line from 1, 0 if unknown
 * @param column from 1, 0 if unknown
 * @param stack the stack of the exception, null if it has none
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#extract-error">extract error
 *     information</a>
 */
public record ErrorInformation(
    String message, String filename, int line, int column, @Nullable String stack) {

  /** Returns the error for the listener of the embedder; the URL is never empty. */
  public UncaughtError uncaught(UncaughtError.Kind kind, Realm realm) {
    return new UncaughtError(
        kind,
        message,
        filename.isEmpty() ? realm.settings().creationUrl() : filename,
        line,
        column,
        stack,
        realm.agent().name(),
        /* outOfMemory= */ false);
  }

  /** Returns an {@code error} event that reports the exception. */
  public Event event(Realm realm, Value error) {
    return new Event(realm, "ErrorEvent", "error", false, true)
        .with("message", message)
        .with("filename", filename)
        .with("lineno", line)
        .with("colno", column)
        .with("error", error);
  }
}
