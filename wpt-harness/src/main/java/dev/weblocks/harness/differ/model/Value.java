package dev.weblocks.harness.differ.model;

/** A JavaScript value of a program, evaluated where a statement uses it. */
public sealed interface Value {

  /** A string. */
  record Text(String text) implements Value {}

  /** Undefined. */
  record Undefined() implements Value {}

  /** The argument of the innermost lock callback: a lock, or null. */
  record TheLock() implements Value {}

  /** The promise of a deferred of the realm; numbers begin with 1. */
  record Deferred(int number) implements Value {}

  /** The promise of the last request with this id in the realm; undefined if there is none. */
  record RequestPromise(int id) implements Value {}

  /** A new settled promise. */
  record Settled(boolean rejected, String text) implements Value {}

  /** A new object whose {@code then} is a getter that logs. */
  record Thenable(int id, Kind kind) implements Value {

    /** The behaviour of the function that {@code then} returns. */
    public enum Kind {
      NOW("now"),
      REJECTING("rejecting"),
      TWICE("twice"),
      THROWING("throwing"),
      LATE("late"),
      RESOLVED_THEN_THROWING("resolvedThenThrowing"),
      NESTED("nested"),
      /** The getter throws. */
      BAD_GETTER("badGetter");

      final String script;

      Kind(String script) {
        this.script = script;
      }
    }
  }

  /** A new fulfilled promise whose own {@code constructor} is a getter that logs. */
  record OwnConstructor(int id) implements Value {}

  /** Returns the expression as JavaScript. */
  default String script() {
    return switch (this) {
      case Text text -> "'" + text.text() + "'";
      case Undefined undefined -> "undefined";
      case TheLock lock -> "lock";
      case Deferred deferred -> "d[" + deferred.number() + "].promise";
      case RequestPromise request -> "p[" + request.id() + "]";
      case Settled settled ->
          "Promise." + (settled.rejected() ? "reject" : "resolve") + "('" + settled.text() + "')";
      case Thenable thenable -> "thenable(" + thenable.id() + ", '" + thenable.kind().script + "')";
      case OwnConstructor promise -> "ownConstructor(" + promise.id() + ")";
    };
  }
}
