package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import java.util.List;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ExtendableEvent} interface.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#extendableevent-interface">Service Workers</a>
 */
class ExtendableEvent extends Event {

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#extendableevent-pending-promises-count">pending
   * promises count</a>
   */
  private int pendingPromises;

  private boolean anyRejected;
  private boolean wasDispatched;
  private @Nullable Consumer<Boolean> whenOver;

  ExtendableEvent(Realm realm, String interfaceName, String type, boolean cancelable) {
    super(realm, interfaceName, type, false, cancelable);
  }

  ExtendableEvent(Realm realm, String interfaceName, Arguments args) {
    super(realm, interfaceName, args);
  }

  /**
   * Fires this event at a target. Called in a task.
   *
   * @param over called when the lifetime of the event ends, with true if a promise that extended
   *     the lifetime was rejected
   */
  final void dispatchTo(EventTarget target, Consumer<Boolean> over) {
    whenOver = over;
    target.fire(this);
    wasDispatched = true;
    dispatched();
    notifyIfOver();
  }

  void dispatched() {}

  private void notifyIfOver() {
    Consumer<Boolean> tell = whenOver;
    if (wasDispatched && pendingPromises == 0 && tell != null) {
      whenOver = null;
      tell.accept(anyRejected);
    }
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#extendableevent-add-lifetime-promise">add
   * lifetime promise</a>
   *
   * @param operation the name of the operation that script called, for messages
   */
  final void addLifetimePromise(Value promise, String operation) {
    // 1.
    if (!isTrusted()) {
      throw invalidState(
          operation, "The event was created by script and has no lifetime to extend.");
    }
    // 2.
    if (pendingPromises == 0 && !isDispatching()) {
      throw invalidState(operation, "The event handler is already finished.");
    }
    // 3. and 4.
    pendingPromises++;
    // 5.
    binding().promises().react(promise, value -> settled(false), reason -> settled(true));
  }

  final ScriptException invalidState(String operation, String why) {
    return ScriptException.dom(
        "InvalidStateError",
        "Failed to execute '" + operation + "' on '" + interfaceName() + "': " + why);
  }

  private void settled(boolean rejected) {
    anyRejected |= rejected;
    // a microtask later, so that other reactions to the promise may extend the lifetime further
    IdlPromise later = binding().promises().newPromise();
    later.resolve();
    binding()
        .promises()
        .react(
            later.promise(),
            value -> {
              pendingPromises--; // 5.1.
              notifyIfOver(); // 5.2. is a step of the queue
            },
            never -> {});
  }

  static void define(Implementations implementations) {
    for (String name : List.of("InstallEvent", "ExtendableMessageEvent")) {
      implementations
          .implement(name, ExtendableEvent.class)
          .constructor((realm, args) -> new ExtendableEvent(realm, name, args));
    }
    implementations
        .implement("ExtendableEvent", ExtendableEvent.class)
        .constructor((realm, args) -> new ExtendableEvent(realm, "ExtendableEvent", args))
        .action("waitUntil", (event, args) -> event.addLifetimePromise(args.any(0), "waitUntil"));
  }
}
