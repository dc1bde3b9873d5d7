package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A promise that Java settles. Used on the event loop of its realm's agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#a-new-promise">a new promise</a>
 */
public final class IdlPromise {

  private final RealmBinding binding;

  /** The promise and its resolving functions in one value, since passing each value costs time. */
  private final Value capability;

  private @Nullable Value promise;

  IdlPromise(RealmBinding binding, Value capability) {
    this.binding = binding;
    this.capability = capability;
  }

  /** Returns the JavaScript promise. */
  public Value promise() {
    Value known = promise;
    if (known == null) {
      known = binding.promises().promiseOf(capability);
      promise = known;
    }
    return known;
  }

  /** Returns the realm of the promise. */
  public Realm realm() {
    return binding.realm();
  }

  /**
   * Resolves with a value that {@link ScriptValues#toScript} takes.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#resolve">resolve</a>
   */
  public void resolve(@Nullable Object value) {
    binding.promises().resolve(capability, binding.values().toScript(value));
  }

  /** Resolves with undefined. */
  public void resolve() {
    binding.promises().resolve(capability, binding.values().undefined());
  }

  /**
   * Rejects with a JavaScript value.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#reject">reject</a>
   */
  public void reject(Value reason) {
    binding.promises().reject(capability, reason);
  }

  /** Resolves with a value of the host, which the engine converts as its context allows. */
  public void resolveWithHost(@Nullable Object value) {
    binding.promises().resolve(capability, value);
  }

  /** Rejects with a value of the host, which the engine converts as its context allows. */
  public void rejectWithHost(Object reason) {
    binding.promises().reject(capability, reason);
  }

  /** Rejects with an exception made in the promise's realm. */
  public void reject(ScriptException exception) {
    reject(binding.values().exception(exception));
  }
}
