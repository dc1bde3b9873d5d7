package dev.weblocks.harness.differ.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a program. Ids are unique in a program and begin the lines that are logged. */
public sealed interface Statement {

  /** Returns the statements inside this one, empty if it has none. */
  default List<Statement> body() {
    return this instanceof Request request
            && request.callback() instanceof Callback.Function function
        ? function.body()
        : List.of();
  }

  /** Logs a line. */
  record Log(int id) implements Statement {}

  /**
   * Calls {@code request()} and logs how its promise settles.
   *
   * @param manager the realm whose {@code LockManager} is used, if the realm has started and shared
   *     it; null for the own one
   * @param brokenThis whether {@code this} is no {@code LockManager}
   */
  record Request(
      int id,
      @Nullable String manager,
      boolean brokenThis,
      Name name,
      Options options,
      Callback callback)
      implements Statement {}

  /** Calls {@code query()} and logs the snapshot; see {@link Request} about the manager. */
  record Query(int id, @Nullable String manager) implements Statement {}

  /** Aborts a controller of the realm, with a string as reason or with none. */
  record Abort(int controller, @Nullable String reason) implements Statement {}

  /** Adds a listener to the signal of a controller. */
  record OnAbort(int id, int controller, List<Statement> body) implements Statement {}

  /** Resolves or rejects a deferred promise of the realm. */
  record Settle(int deferred, boolean rejects, Value value) implements Statement {}

  /** Calls {@code then} of a promise, with the body as reaction to both results. */
  record React(int id, Value promise, List<Statement> body) implements Statement {}

  /** Runs a body later. */
  record Later(int id, Turn turn, List<Statement> body) implements Statement {}

  /** The time when a body runs. */
  enum Turn {
    PROMISE_JOB,
    MICROTASK,
    TIMER
  }

  /** Runs a body as an async function. */
  record Async(int id, List<Statement> body) implements Statement {}

  /** Awaits a value. Directly in the body of an async function only. */
  record Await(int id, Value value) implements Statement {}

  /** Sends a message to a realm, which runs the handler of this number. */
  record Send(String realm, int message) implements Statement {}

  /** Creates a realm, once. In the main window only. */
  record Start(String realm) implements Statement {}

  /** Removes a frame, closes a window or terminates a worker. In the main window only. */
  record End(String realm) implements Statement {}

  /** Calls {@code close()} of a worker's global. */
  record Close() implements Statement {}

  /** The first argument of a request. */
  record Name(String text, Form form) {

    /** The kind of the argument. */
    public enum Form {
      STRING,
      /** An object with a {@code toString} that logs. */
      OBJECT,
      /** An object with a {@code toString} that logs and throws. */
      BAD_OBJECT,
      SYMBOL
    }
  }

  /** The options of a request. */
  record Options(Form form, List<Member> members) {

    /** The kind of the argument. */
    public enum Form {
      ABSENT,
      UNDEFINED,
      NULL,
      NUMBER,
      OBJECT,
      /** A proxy whose trap for reading properties logs. */
      PROXY
    }

    @Nullable Member member(Key key) {
      return members.stream().filter(each -> each.key() == key).findFirst().orElse(null);
    }
  }

  /** The keys of the options, in the order in which Web IDL reads them. */
  enum Key {
    IF_AVAILABLE("ifAvailable"),
    MODE("mode"),
    SIGNAL("signal"),
    STEAL("steal");

    final String script;

    Key(String script) {
      this.script = script;
    }
  }

  /**
   * A member of the options.
   *
   * @param value for {@code mode} a string, or {@code object} for an object that converts to {@code
   *     shared}; for {@code signal} the number of a controller, {@code aborted} for a signal that
   *     is aborted already, or {@code none} for an object that is no signal; for others an
   *     expression. {@code undefined} for all
   */
  record Member(Key key, Access access, String value) {

    /** The kind of the property. */
    public enum Access {
      PLAIN,
      /** A getter that logs. */
      GETTER,
      /** A getter that logs and throws. */
      BAD_GETTER
    }

    /** Returns an object with this property as JavaScript; the id begins the lines it logs. */
    public String script(int id) {
      String plain =
          switch (key) {
            case IF_AVAILABLE, STEAL -> value;
            case MODE ->
                switch (value) {
                  case "object" -> "named('" + id + "m', 'shared')";
                  case "undefined" -> value;
                  default -> "'" + value + "'";
                };
            case SIGNAL ->
                switch (value) {
                  case "aborted" -> "AbortSignal.abort('early')";
                  case "none" -> "{}";
                  case "undefined" -> value;
                  default -> "ac[" + value + "].signal";
                };
          };
      return switch (access) {
        case PLAIN -> "{" + key.script + ": " + plain + "}";
        case GETTER -> "member(" + id + ", '" + key.script + "', " + plain + ")";
        case BAD_GETTER -> "badMember(" + id + ", '" + key.script + "')";
      };
    }
  }

  /** The last argument of a request. */
  sealed interface Callback {

    /**
     * A function that logs its argument and then runs a body.
     *
     * @param fails whether the result is thrown
     */
    record Function(boolean async, List<Statement> body, boolean fails, Value result)
        implements Callback {}

    /** An object that is not callable. */
    record NotCallable() implements Callback {}

    /** No argument; the options are missing as well. */
    record Missing() implements Callback {}
  }
}
