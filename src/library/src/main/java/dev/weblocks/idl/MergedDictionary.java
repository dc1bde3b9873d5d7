package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dictionary with its partials.
 *
 * @param parent the dictionary it inherits from, or null
 * @param ownMembers the members of this dictionary and its partials, types resolved, in
 *     lexicographical order of their identifiers; immutable
 */
public record MergedDictionary(
    String name,
    @Nullable MergedDictionary parent,
    List<DictionaryMember> ownMembers,
    ExtendedAttributes extendedAttributes,
    SourcePosition position)
    implements NamedDefinition {

  public MergedDictionary {
    ownMembers = List.copyOf(ownMembers);
  }

  /**
   * Returns the members in the order in which a value is converted: those of the least derived
   * dictionary first, within each dictionary in lexicographical order of UTF-16 code units.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#js-dictionary">Dictionary types</a>
   */
  public List<DictionaryMember> allMembers() {
    List<DictionaryMember> all = new ArrayList<>();
    if (parent != null) {
      all.addAll(parent.allMembers());
    }
    all.addAll(ownMembers);
    return List.copyOf(all);
  }

  /** Returns whether the dictionary has a required member, inherited ones included. */
  public boolean hasRequiredMember() {
    return allMembers().stream().anyMatch(DictionaryMember::required);
  }
}
