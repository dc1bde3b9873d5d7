package dev.weblocks.idl;

/**
 * The definition to which the name in a resolved {@link IdlType.NamedType} refers. No other kind of
 * definition is possible: typedefs are already expanded, and mixins and namespaces are not types.
 */
public sealed interface NamedDefinition
    permits MergedInterface,
        MergedCallbackInterface,
        MergedDictionary,
        Definition.Enumeration,
        Definition.CallbackFunction {

  /** Returns the identifier, unescaped. */
  String name();

  /** Returns the extended attributes of the original (non-partial) definition. */
  ExtendedAttributes extendedAttributes();

  /** Returns where the original (non-partial) definition begins. */
  SourcePosition position();
}
