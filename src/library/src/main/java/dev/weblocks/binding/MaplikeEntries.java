package dev.weblocks.binding;

import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The map entries of an object whose interface is maplike. Used on the event loop of its agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#js-maplike">Web IDL</a>
 */
public final class MaplikeEntries {

  private final RealmBinding binding;
  private final Value functions;
  private final Value backing;

  MaplikeEntries(RealmBinding binding, Value functions, Value backing) {
    this.binding = binding;
    this.functions = functions;
    this.backing = backing;
  }

  /** Sets an entry. Key and value are values that {@link ScriptValues#toScript} takes. */
  public void set(@Nullable Object key, @Nullable Object value) {
    binding
        .realm()
        .agent()
        .call(
            functions.getMember("mapSet"),
            backing,
            binding.values().toScript(key),
            binding.values().toScript(value));
  }

  /** Removes an entry; returns whether there was an entry with this key. */
  public boolean delete(@Nullable Object key) {
    return binding
        .realm()
        .agent()
        .call(functions.getMember("mapDelete"), backing, binding.values().toScript(key))
        .asBoolean();
  }

  /** Removes all entries. */
  public void clear() {
    binding.realm().agent().call(functions.getMember("mapClear"), backing);
  }
}
