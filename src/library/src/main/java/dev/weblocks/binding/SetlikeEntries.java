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
  private final Value backing;

  SetlikeEntries(RealmBinding binding, Value backing) {
    this.binding = binding;
    this.backing = backing;
  }

  /** Adds a value that {@link RealmBinding#toScript} takes. */
  public void add(@Nullable Object value) {
    binding.callApi("setAdd", backing, binding.toScript(value));
  }

  /** Removes a value; returns whether it was present. */
  public boolean delete(@Nullable Object value) {
    return binding.callApi("setDelete", backing, binding.toScript(value)).asBoolean();
  }

  /** Removes all values. */
  public void clear() {
    binding.callApi("setClear", backing);
  }
}
