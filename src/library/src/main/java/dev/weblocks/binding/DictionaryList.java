package dev.weblocks.binding;

import java.lang.ref.SoftReference;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A list of dictionaries of one type, with string members, for the script of a realm. The strings
 * are passed to script once, and cached there while this object is reachable and memory suffices.
 */
public final class DictionaryList {

  private final RealmBinding binding;
  private final String name;
  private final String[] values;
  private SoftReference<Value> prepared = new SoftReference<>(null);

  /**
   * @param name the name of the dictionary in IDL
   * @param values the members of the first dictionary, in conversion order, then those of the
   *     second, and so on; must not be changed afterwards
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
      known = binding.values().prepareDictionaries(arguments());
      prepared = new SoftReference<>(known);
    }
    return binding.values().newDictionaries(known);
  }

  /**
   * Returns the name and the values; null in place of each value that equals the value of the same
   * member in the previous dictionary.
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
