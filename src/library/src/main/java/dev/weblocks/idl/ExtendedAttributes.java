package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The extended attributes of one construct or type.
 *
 * @param list the extended attributes in text order; immutable
 */
public record ExtendedAttributes(List<ExtendedAttribute> list) {

  /** No extended attributes. */
  public static final ExtendedAttributes NONE = new ExtendedAttributes(List.of());

  /**
   * The names of extended attributes that are <a
   * href="https://webidl.spec.whatwg.org/#extended-attributes-applicable-to-types">applicable to
   * types</a>.
   */
  private static final Set<String> APPLICABLE_TO_TYPES =
      Set.of("AllowResizable", "AllowShared", "Clamp", "EnforceRange", "LegacyNullToEmptyString");

  public ExtendedAttributes {
    list = List.copyOf(list);
  }

  /** Returns whether there are no extended attributes. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Returns whether an extended attribute with the given name is present. */
  public boolean has(String name) {
    return get(name) != null;
  }

  /** Returns the first extended attribute with the given name, or null if there is none. */
  public @Nullable ExtendedAttribute get(String name) {
    for (ExtendedAttribute attribute : list) {
      if (attribute.name().equals(name)) {
        return attribute;
      }
    }
    return null;
  }

  /** Returns all extended attributes with the given name, in text order. */
  public List<ExtendedAttribute> all(String name) {
    return list.stream().filter(attribute -> attribute.name().equals(name)).toList();
  }

  /** Returns these extended attributes, then those of {@code others} that are not among them. */
  ExtendedAttributes and(ExtendedAttributes others) {
    List<ExtendedAttribute> joined = new ArrayList<>(list);
    for (ExtendedAttribute attribute : others.list) {
      if (!joined.contains(attribute)) {
        joined.add(attribute);
      }
    }
    return joined.size() == list.size() ? this : new ExtendedAttributes(joined);
  }

  ExtendedAttributes applicableToTypes() {
    return new ExtendedAttributes(
        list.stream().filter(each -> APPLICABLE_TO_TYPES.contains(each.name())).toList());
  }

  ExtendedAttributes notApplicableToTypes() {
    return new ExtendedAttributes(
        list.stream().filter(each -> !APPLICABLE_TO_TYPES.contains(each.name())).toList());
  }
}
