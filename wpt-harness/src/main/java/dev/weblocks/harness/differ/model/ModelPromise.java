package dev.weblocks.harness.differ.model;

import dev.weblocks.harness.differ.model.JsValues.ThenableObject;
import dev.weblocks.harness.differ.model.JsValues.Thrown;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A promise, by ECMAScript's section "Promise JsValues". */
final class ModelPromise {

  private enum State {
    PENDING,
    FULFILLED,
    REJECTED
  }

  /** The code of objects that a promise calls. */
  interface Script {
    /** Gets the property {@code then} of a thenable; it is always callable. */
    void getThen(ThenableObject thenable);

    void callThen(ThenableObject thenable, Resolver resolver);

    /** Gets an own property {@code constructor}, which is {@code Promise}. */
    void getConstructor(int id, ModelRealm realm);
  }

  /** A reaction, and the realm of its handlers. No program uses the promise of a capability. */
  private record Reaction(
      ModelRealm realm, Consumer<Object> onFulfilled, Consumer<Object> onRejected) {}

  final ModelRealm realm;

  /** The id of an own property {@code constructor} that logs; null if there is none. */
  @Nullable Integer ownConstructor;

  private State state = State.PENDING;
  private Object result = JsValues.Primitive.UNDEFINED;
  private final List<Reaction> reactions = new ArrayList<>();
  private final List<Runnable> onSettled = new ArrayList<>();
  private final Resolver resolver = new Resolver(this);

  ModelPromise(ModelRealm realm) {
    this.realm = realm;
  }

  static ModelPromise rejectedWith(ModelRealm realm, Object reason) {
    ModelPromise promise = new ModelPromise(realm);
    promise.resolver.reject(reason);
    return promise;
  }

  boolean isSettled() {
    return state != State.PENDING;
  }

  /** Returns the pair of functions that was created with the promise. */
  Resolver resolver() {
    return resolver;
  }

  /** A pair of resolving functions. */
  static final class Resolver {
    private final ModelPromise promise;
    private boolean alreadyResolved;

    private Resolver(ModelPromise promise) {
      this.promise = promise;
    }

    /** <a href="https://tc39.es/ecma262/#sec-promise-resolve-functions">resolve function</a> */
    void resolve(Object resolution, Script script) {
      if (alreadyResolved) {
        return; // 5
      }
      alreadyResolved = true; // 6
      switch (resolution) {
        case ModelPromise itself when itself == promise ->
            promise.settle(State.REJECTED, promise.realm.error("TypeError")); // 7
        case ModelPromise other ->
            promise.realm.agent.queueMicrotask( // 15
                other.realm,
                () -> {
                  Resolver functions = new Resolver(promise);
                  other.then(
                      script,
                      other.realm,
                      value -> functions.resolve(value, script),
                      functions::reject);
                });
        case ThenableObject thenable -> {
          try {
            script.getThen(thenable); // 9
          } catch (Thrown e) {
            promise.settle(State.REJECTED, e.value); // 10
            return;
          }
          promise.realm.agent.queueMicrotask( // 15
              thenable.realm(),
              () -> {
                Resolver functions = new Resolver(promise);
                try {
                  script.callThen(thenable, functions);
                } catch (Thrown e) {
                  functions.reject(e.value);
                }
              });
        }
        default -> promise.settle(State.FULFILLED, resolution); // 8
      }
    }

    /** <a href="https://tc39.es/ecma262/#sec-promise-reject-functions">reject function</a> */
    void reject(Object reason) {
      if (!alreadyResolved) {
        alreadyResolved = true;
        promise.settle(State.REJECTED, reason);
      }
    }
  }

  private void settle(State newState, Object value) {
    state = newState;
    result = value;
    reactions.forEach(this::queueReaction);
    reactions.clear();
    onSettled.forEach(Runnable::run);
    onSettled.clear();
  }

  /** Runs steps of a specification at the moment when this promise settles. */
  void whenSettled(Runnable steps) {
    if (isSettled()) {
      steps.run();
    } else {
      onSettled.add(steps);
    }
  }

  private void queueReaction(Reaction reaction) {
    Consumer<Object> handler =
        state == State.FULFILLED ? reaction.onFulfilled() : reaction.onRejected();
    realm.agent.queueMicrotask(reaction.realm(), () -> handler.accept(result));
  }

  /** <a href="https://tc39.es/ecma262/#sec-promise.prototype.then">then</a> */
  void then(
      Script script,
      ModelRealm handlers,
      Consumer<Object> onFulfilled,
      Consumer<Object> onRejected) {
    readConstructor(script); // 3
    perform(new Reaction(handlers, onFulfilled, onRejected));
  }

  /** <a href="https://tc39.es/ecma262/#await">Await</a> of a value in a realm. */
  static void await(
      Script script,
      ModelRealm current,
      Object value,
      Consumer<Object> onFulfilled,
      Consumer<Object> onRejected) {
    ModelPromise promise = resolve(script, current, value); // 2
    promise.perform(new Reaction(current, onFulfilled, onRejected)); // 7
  }

  /** <a href="https://tc39.es/ecma262/#sec-promise-resolve">PromiseResolve</a> */
  static ModelPromise resolve(Script script, ModelRealm current, Object value) {
    if (value instanceof ModelPromise own) { // 1
      own.readConstructor(script);
      if (own.realm == current) {
        return own;
      }
    }
    ModelPromise promise = new ModelPromise(current);
    promise.resolver.resolve(value, script);
    return promise;
  }

  private void readConstructor(Script script) {
    if (ownConstructor != null) {
      script.getConstructor(ownConstructor, realm);
    }
  }

  /**
   * <a href="https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled">React</a>
   */
  void perform(ModelRealm handlers, Consumer<Object> onFulfilled, Consumer<Object> onRejected) {
    perform(new Reaction(handlers, onFulfilled, onRejected));
  }

  private void perform(Reaction reaction) {
    if (isSettled()) {
      queueReaction(reaction);
    } else {
      reactions.add(reaction);
    }
  }
}
