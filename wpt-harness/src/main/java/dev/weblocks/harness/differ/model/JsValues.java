package dev.weblocks.harness.differ.model;

import java.util.ArrayList;
import java.util.List;

/** The values of the model other than strings and promises. */
final class JsValues {

  private JsValues() {}

  /** The values without content. */
  enum Primitive {
    UNDEFINED("undefined"),
    NULL("null");

    final String text;

    Primitive(String text) {
      this.text = text;
    }
  }

  /** An error object or a DOMException, and the realm that it belongs to. */
  record ErrorObject(String name, ModelRealm realm) {}

  /** A {@code Lock} object. */
  record LockObject(String name, String mode) {}

  /** An object with a getter {@code then} that logs. */
  record ThenableObject(String id, Value.Thenable.Kind kind, ModelRealm realm) {}

  /** A JavaScript exception. */
  @SuppressWarnings("serial") // never serialized
  static final class Thrown extends RuntimeException {
    final transient Object value;

    Thrown(Object value) {
      super(null, null, false, false);
      this.value = value;
    }
  }

  /** An {@code AbortSignal}. */
  static final class Signal {
    boolean aborted;
    Object reason = Primitive.UNDEFINED;
    final List<Runnable> algorithms = new ArrayList<>();
    final List<Runnable> listeners = new ArrayList<>();

    /** <a href="https://dom.spec.whatwg.org/#abortsignal-signal-abort">signal abort</a> */
    void abort(Object newReason) {
      if (aborted) {
        return; // 1
      }
      aborted = true;
      reason = newReason; // 2
      List<Runnable> algorithmsNow = List.copyOf(algorithms);
      algorithms.clear();
      algorithmsNow.forEach(Runnable::run); // 5, run the abort steps 1 and 2
      // 3, fire an event: a listener that another one adds is not called
      List.copyOf(listeners).forEach(Runnable::run);
    }
  }

  /** Returns the text that {@code show()} of the runtime gives. */
  static String show(Object value, ModelRealm realm) {
    return value instanceof LockObject lock
        ? "lock " + lock.name() + " " + lock.mode()
        : error(value, realm);
  }

  /** Returns the text that {@code error()} of the runtime gives. */
  static String error(Object value, ModelRealm realm) {
    return switch (value) {
      case ErrorObject error -> error.name() + (error.realm() == realm ? "" : " of another realm");
      case Primitive primitive -> primitive.text;
      default -> value.toString();
    };
  }
}
