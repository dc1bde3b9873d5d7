package dev.weblocks.binding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dictionary to pass to script.
 *
 * @param name the name of the dictionary in IDL
 * @param members values that {@link ScriptValues#toScript} takes, in conversion order: the least
 *     derived dictionary first, the members of each in lexicographical order
 */
public record DictionaryValue(String name, List<@Nullable Object> members) {

  public static DictionaryValue of(String name, @Nullable Object... members) {
    List<@Nullable Object> list = new ArrayList<>();
    Collections.addAll(list, members);
    return new DictionaryValue(name, Collections.unmodifiableList(list));
  }
}
