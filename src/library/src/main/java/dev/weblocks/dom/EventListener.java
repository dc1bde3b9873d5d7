package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** An <a href="https://dom.spec.whatwg.org/#concept-event-listener">event listener</a>. */
final class EventListener {

  sealed interface Callback permits Script, EventHandlers.Handler {}

  /** A script function, or a script object with {@code handleEvent()}. */
  record Script(Value object) implements Callback {}

  /** The identity of a listener among those of one type. */
  record Key(Callback callback, boolean capture) {}

  final String type;
  final Callback callback;

  final Realm realm;

  final boolean capture;
  final boolean once;
  final boolean passive;

  /** <a href="https://dom.spec.whatwg.org/#event-listener-removed">removed</a> */
  boolean removed;

  /** The abort algorithm at {@link #signal} that removes this listener. */
  private @Nullable Runnable abortAlgorithm;

  private @Nullable AbortSignal signal;

  EventListener(
      String type, Callback callback, Realm realm, boolean capture, boolean once, boolean passive) {
    this.type = type;
    this.callback = callback;
    this.realm = realm;
    this.capture = capture;
    this.once = once;
    this.passive = passive;
  }

  void removeOnAbort(AbortSignal by, Runnable removal) {
    signal = by;
    abortAlgorithm = removal;
    by.addUnobserved(removal);
  }

  /** Removes the abort algorithm, so that the signal does not leak a removed listener. */
  void forgetSignal() {
    if (signal != null && abortAlgorithm != null) {
      signal.remove(abortAlgorithm);
    }
  }
}
