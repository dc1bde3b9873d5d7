package dev.weblocks.binding;

import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The set entries of an object whose interface is setlike. Used on the event loop of its agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#js-setlike">Web IDL</a>
 */
public final class SetlikeEntries {

  private final RealmBinding binding;
  private final Value functions;
  private final Value backing;

  SetlikeEntries(RealmBinding binding, Value functions, Value backing) {
    this.binding = binding;
    this.functions = functions;
    this.backing = backing;
  }

  /** Adds a value that {@link ScriptValues#toScript} takes. */
  public void add(@Nullable Object value) {
    binding
        .realm()
        .agent()
        .call(functions.getMember("setAdd"), backing, binding.values().toScript(value));
  }

  /** Removes a value; returns whether it was present. */
  public boolean delete(@Nullable Object value) {
    return binding
        .realm()
        .agent()
        .call(functions.getMember("setDelete"), backing, binding.values().toScript(value))
        .asBoolean();
  }

  /** Removes all values. */
  public void clear() {
    binding.realm().agent().call(functions.getMember("setClear"), backing);
  }
}
