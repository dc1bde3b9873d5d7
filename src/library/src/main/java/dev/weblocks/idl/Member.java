package dev.weblocks.idl;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A <a href="https://webidl.spec.whatwg.org/#dfn-interface-member">member</a> of an interface,
 * mixin, namespace or callback interface.
 */
public sealed interface Member {

  ExtendedAttributes extendedAttributes();

  /** Returns where the member begins, after its extended attributes. */
  SourcePosition position();

  /** Returns the identifier, unescaped, or null if the member has none. */
  default @Nullable String identifier() {
    return switch (this) {
      case Constant constant -> constant.name();
      case Attribute attribute -> attribute.name();
      case Operation operation -> operation.name();
      case Stringifier s -> null;
      case Constructor c -> null;
      case IterableDeclaration i -> null;
      case AsyncIterableDeclaration a -> null;
      case MaplikeDeclaration m -> null;
      case SetlikeDeclaration s -> null;
    };
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-constants">constant</a>.
   *
   * @param type its type: primitive, or a typedef of a primitive type
   */
  record Constant(
      String name,
      IdlType type,
      IdlLiteral.ConstantLiteral value,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {}

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-attributes">attribute</a>.
   *
   * @param inherit whether it is marked {@code inherit}, and so inherits its getter
   */
  record Attribute(
      String name,
      IdlType type,
      boolean readOnly,
      boolean isStatic,
      boolean inherit,
      boolean stringifier,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {}

  /**
   * The kinds of <a href="https://webidl.spec.whatwg.org/#dfn-special-operation">special
   * operations</a>.
   */
  enum Special {
    /** A regular or static operation. */
    NONE,
    GETTER,
    SETTER,
    DELETER
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-operations">operation</a>.
   *
   * @param name its identifier, unescaped, or null for a special operation without one
   */
  record Operation(
      @Nullable String name,
      IdlType returnType,
      List<Argument> arguments,
      boolean isStatic,
      Special special,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {
    public Operation {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-stringifiers">stringifier</a> without an
   * attribute: {@code stringifier;}.
   */
  record Stringifier(ExtendedAttributes extendedAttributes, SourcePosition position)
      implements Member {}

  /** A <a href="https://webidl.spec.whatwg.org/#idl-constructors">constructor operation</a>. */
  record Constructor(
      List<Argument> arguments, ExtendedAttributes extendedAttributes, SourcePosition position)
      implements Member {
    public Constructor {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-iterable">iterable declaration</a>.
   *
   * @param keyType type of the keys if it iterates pairs, or null if it iterates values
   */
  record IterableDeclaration(
      @Nullable IdlType keyType,
      IdlType valueType,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {}

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-async-iterable">asynchronously iterable
   * declaration</a>.
   *
   * @param keyType type of the keys if it iterates pairs, or null if it iterates values
   * @param arguments arguments of the iterator methods; immutable
   */
  record AsyncIterableDeclaration(
      @Nullable IdlType keyType,
      IdlType valueType,
      List<Argument> arguments,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {
    public AsyncIterableDeclaration {
      arguments = List.copyOf(arguments);
    }
  }

  /** A <a href="https://webidl.spec.whatwg.org/#idl-maplike">maplike declaration</a>. */
  record MaplikeDeclaration(
      IdlType keyType,
      IdlType valueType,
      boolean readOnly,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {}

  /** A <a href="https://webidl.spec.whatwg.org/#idl-setlike">setlike declaration</a>. */
  record SetlikeDeclaration(
      IdlType valueType,
      boolean readOnly,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Member {}
}
