package dev.weblocks.binding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dictionary to pass to script.
 *
 * @param name of the dictionary in IDL
 * @param members in conversion order: least derived dictionary first, each in lexicographical
 *     order; values that {@link RealmBinding#toScript} takes
 */
public record DictionaryValue(String name, List<@Nullable Object> members) {

  public static DictionaryValue of(String name, @Nullable Object... members) {
    List<@Nullable Object> list = new ArrayList<>();
    Collections.addAll(list, members);
    return new DictionaryValue(name, Collections.unmodifiableList(list));
  }
}
