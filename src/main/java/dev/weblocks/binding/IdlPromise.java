package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A promise that Java settles. On the event loop of its realm's agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#a-new-promise">a new promise</a>
 */
public final class IdlPromise {

  private final Realm realm;
  private final Value promise;
  private final Value resolve;
  private final Value reject;

  IdlPromise(Realm realm, Value promise, Value resolve, Value reject) {
    this.realm = realm;
    this.promise = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** The JavaScript promise. */
  public Value promise() {
    return promise;
  }

  /** The realm that it was made in. */
  public Realm realm() {
    return realm;
  }

  /**
   * Resolves with a value that {@link RealmBinding#toScript} takes.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#resolve">resolve</a>
   */
  public void resolve(@Nullable Object value) {
    Object converted = RealmBinding.of(realm).toScript(value);
    realm.agent().call(resolve, new Object[] {converted});
  }

  /** Resolves with undefined. */
  public void resolve() {
    realm.agent().call(resolve);
  }

  /**
   * Rejects with a JavaScript value.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#reject">reject</a>
   */
  public void reject(Value reason) {
    realm.agent().call(reject, reason);
  }

  /** Rejects with an exception made in the promise's realm. */
  public void reject(ScriptException exception) {
    reject(RealmBinding.of(realm).exception(exception));
  }
}
