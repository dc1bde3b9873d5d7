package dev.weblocks.binding;

import java.lang.ref.SoftReference;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A list of dictionaries of one kind for the script of a realm. All of their members are strings.
 * For lists that script reads repeatedly: the strings cross once, and script caches them as long as
 * this object is reachable and memory is not short.
 */
public final class DictionaryList {

  private final RealmBinding binding;
  private final String name;
  private final String[] values;
  private SoftReference<Value> prepared = new SoftReference<>(null);

  /**
   * @param name of the dictionary in IDL
   * @param values of all members of the first one, in conversion order, then those of the second,
   *     and so on; not changed afterwards
   */
  public DictionaryList(RealmBinding binding, String name, String[] values) {
    this.binding = binding;
    this.name = name;
    this.values = values;
  }

  /** Returns a new array of new objects. */
  Value toScript() {
    Value known = prepared.get();
    if (known == null) {
      known = binding.prepareDictionaries(arguments());
      prepared = new SoftReference<>(known);
    }
    return binding.dictionaries(known);
  }

  /**
   * Returns the name and the values; a value is null if it is the same as in the dictionary before.
   */
  private @Nullable Object[] arguments() {
    int width = binding.platform().dictionaryMembers(name).size();
    @Nullable Object[] arguments = new @Nullable Object[values.length + 1];
    arguments[0] = name;
    for (int i = 0; i < values.length; i++) {
      boolean repeated = i >= width && values[i].equals(values[i - width]);
      arguments[i + 1] = repeated ? null : values[i];
    }
    return arguments;
  }
}
