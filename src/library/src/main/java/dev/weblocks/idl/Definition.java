package dev.weblocks.idl;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A <a href="https://webidl.spec.whatwg.org/#dfn-definition">definition</a> as it stands in one IDL
 * text, before partials and mixins are merged.
 */
public sealed interface Definition {

  /** Returns the identifier, unescaped; for {@link Includes} that of the including interface. */
  String name();

  /** Returns the extended attributes before the definition. */
  ExtendedAttributes extendedAttributes();

  /** Returns where the definition begins, after its extended attributes. */
  SourcePosition position();

  /** Returns the kind of the definition, for messages. */
  default String inWords() {
    return switch (this) {
      case Interface d -> "interface";
      case Mixin d -> "interface mixin";
      case Includes d -> "includes statement";
      case Dictionary d -> "dictionary";
      case Enumeration d -> "enumeration";
      case Typedef d -> "typedef";
      case CallbackFunction d -> "callback function";
      case CallbackInterface d -> "callback interface";
      case Namespace d -> "namespace";
    };
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-interfaces">interface</a> or partial interface.
   *
   * @param name its identifier, unescaped
   * @param partial whether it is marked {@code partial}
   * @param inherits the interface it inherits from, or null; always null if partial
   * @param members its members; immutable
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record Interface(
      String name,
      boolean partial,
      @Nullable String inherits,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    /** Copies the list. */
    public Interface {
      members = List.copyOf(members);
    }
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-interface-mixins">interface mixin</a> or
   * partial interface mixin.
   *
   * @param name its identifier, unescaped
   * @param partial whether it is marked {@code partial}
   * @param members its members; immutable
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record Mixin(
      String name,
      boolean partial,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    /** Copies the list. */
    public Mixin {
      members = List.copyOf(members);
    }
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#includes-statement">includes statement</a>.
   *
   * @param name the interface that includes
   * @param mixin the mixin that is included
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record Includes(
      String name, String mixin, ExtendedAttributes extendedAttributes, SourcePosition position)
      implements Definition {}

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-dictionaries">dictionary</a> or partial
   * dictionary.
   *
   * @param name its identifier, unescaped
   * @param partial whether it is marked {@code partial}
   * @param inherits the dictionary it inherits from, or null; always null if partial
   * @param members its members in text order; immutable
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record Dictionary(
      String name,
      boolean partial,
      @Nullable String inherits,
      List<DictionaryMember> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    /** Copies the list. */
    public Dictionary {
      members = List.copyOf(members);
    }
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-enums">enumeration</a>.
   *
   * @param name its identifier, unescaped
   * @param values its values in text order; immutable, never empty
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record Enumeration(
      String name,
      List<String> values,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition, NamedDefinition {
    /** Copies the list. */
    public Enumeration {
      values = List.copyOf(values);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-typedefs">typedef</a>.
   *
   * @param name the new name, unescaped
   * @param type the type that gets the name
   * @param extendedAttributes extended attributes before the keyword
   * @param position place
   */
  record Typedef(
      String name, IdlType type, ExtendedAttributes extendedAttributes, SourcePosition position)
      implements Definition {}

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-callback-functions">callback function</a>.
   *
   * @param name its identifier, unescaped
   * @param returnType its return type
   * @param arguments its arguments; immutable
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record CallbackFunction(
      String name,
      IdlType returnType,
      List<Argument> arguments,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition, NamedDefinition {
    /** Copies the list. */
    public CallbackFunction {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#dfn-callback-interface">callback interface</a>.
   *
   * @param name its identifier, unescaped
   * @param members its constants and regular operations; immutable
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record CallbackInterface(
      String name,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    /** Copies the list. */
    public CallbackInterface {
      members = List.copyOf(members);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-namespaces">namespace</a> or partial namespace.
   *
   * @param name its identifier, unescaped
   * @param partial whether it is marked {@code partial}
   * @param members its members; immutable
   * @param extendedAttributes extended attributes
   * @param position place
   */
  record Namespace(
      String name,
      boolean partial,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    /** Copies the list. */
    public Namespace {
      members = List.copyOf(members);
    }
  }
}
