package dev.weblocks.idl;

import org.jspecify.annotations.Nullable;

/**
 * A <a href="https://webidl.spec.whatwg.org/#dfn-dictionary-member">dictionary member</a>.
 *
 * @param type its type. The extended attributes of a member that is not required belong to the type
 *     if they are applicable to types
 * @param defaultValue its default value, or null if none is written; always null if required
 * @param extendedAttributes the extended attributes of the member itself, not of its type
 */
public record DictionaryMember(
    String name,
    IdlType type,
    boolean required,
    @Nullable IdlLiteral defaultValue,
    ExtendedAttributes extendedAttributes,
    SourcePosition position) {

  DictionaryMember withType(IdlType newType) {
    return new DictionaryMember(
        name, newType, required, defaultValue, extendedAttributes, position);
  }
}
