package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import org.graalvm.polyglot.Value;

/**
 * The {@code ErrorEvent} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#errorevent">HTML</a>
 */
public final class ErrorEvent extends Event {

  private final ErrorInformation information;
  private final Value error;

  // script may give any unsigned 32-bit number
  private final double line;
  private final double column;

  /** Creates an {@code error} event that reports an exception. */
  public ErrorEvent(Realm realm, ErrorInformation information, Value error) {
    super(realm, "error", false, true);
    this.information = information;
    this.error = error;
    this.line = information.line();
    this.column = information.column();
  }

  private ErrorEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.information =
        new ErrorInformation(
            init.string("message"),
            init.string("filename"),
            (int) init.number("lineno"),
            (int) init.number("colno"),
            null);
    this.line = init.number("lineno");
    this.column = init.number("colno");
    this.error = init.any("error");
  }

  ErrorInformation information() {
    return information;
  }

  /** Returns the line, an unsigned 32-bit number. */
  double line() {
    return line;
  }

  /** Returns the column, an unsigned 32-bit number. */
  double column() {
    return column;
  }

  Value error() {
    return error;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ErrorEvent", ErrorEvent.class)
        .constructor((realm, args) -> new ErrorEvent(realm, args.string(0), args.dictionary(1)))
        .getter("message", event -> event.information.message())
        .getter("filename", event -> event.information.filename())
        .getter("lineno", event -> event.line)
        .getter("colno", event -> event.column)
        .getter("error", event -> event.error);
  }
}
