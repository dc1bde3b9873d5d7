package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.RequestId;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a client of locks, as far as variants can change them. The default methods implement
 * the Working Draft. Called on the event loop, except {@link #takes} and {@link #wasStolen}.
 */
interface ClientRules {

  /** The rules of the Working Draft. */
  ClientRules DRAFT = new ClientRules() {};

  static ClientRules of(Realm realm) {
    ClientRules known = realm.supplements().find(ClientRules.class);
    return known == null ? DRAFT : known;
  }

  default String newClientId(Realm realm) {
    return realm.settings().id();
  }

  /** Returns whether an aborted signal is reported before a bad name or bad options. */
  default boolean checksSignalFirst() {
    return false;
  }

  default boolean hasReentrantOption() {
    return false;
  }

  /** Returns the receiver of the lock and of the outcome of a request. */
  default LockCallback callbackOf(ClientRequest request, @Nullable Value callback) {
    if (callback == null) {
      throw new IllegalStateException("request() has no callback");
    }
    return new ScriptCallback(request, callback, callback);
  }

  /**
   * Sends the command of a new request.
   *
   * @param callback null if the request has none
   */
  default void send(
      LockClient client, LockService service, RequestLock command, @Nullable Value callback) {
    service.enqueue(command);
  }

  /**
   * Returns whether {@link #send} handles an effect, so that no task is queued for it. Callable on
   * any thread.
   */
  default boolean takes(LockEffect effect) {
    return false;
  }

  /**
   * Returns whether a request is settled together with its waiting promise rather than after the
   * release.
   */
  default boolean settlesBeforeRelease() {
    return false;
  }

  /**
   * Records that a lock was stolen; the task of its grant may not have run yet. Callable on any
   * thread.
   */
  default void wasStolen(RequestId id) {}

  /** Records that the task that handles a steal is running. */
  default void stealIsHandled(RequestId id) {}

  default boolean skipsCallback(RequestId id) {
    return false;
  }

  default ScriptException stolenError() {
    return ScriptException.dom("AbortError", "The lock was stolen by another request.");
  }

  /** Returns whether the reason of a rejected waiting promise counts as a steal. */
  default boolean meansStolen(Value reason) {
    return false;
  }
}
