package dev.weblocks.idl;

/**
 * What the name in a resolved {@link IdlType.NamedType} stands for. Typedefs are gone by then, and
 * mixins and namespaces are no types, so these are all kinds there are.
 */
public sealed interface NamedDefinition
    permits MergedInterface,
        MergedCallbackInterface,
        MergedDictionary,
        Definition.Enumeration,
        Definition.CallbackFunction {

  /** Returns the identifier, unescaped. */
  String name();

  /** Returns the extended attributes of the original definition. */
  ExtendedAttributes extendedAttributes();

  /** Returns where the original definition begins. */
  SourcePosition position();
}
