package dev.weblocks.idl;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A <a href="https://webidl.spec.whatwg.org/#dfn-definition">definition</a> as it stands in one IDL
 * text, before partials and mixins are merged.
 */
public sealed interface Definition {

  /** Returns the unescaped identifier; for {@link Includes}, that of the including interface. */
  String name();

  ExtendedAttributes extendedAttributes();

  /** Returns where the definition begins, after its extended attributes. */
  SourcePosition position();

  /** Returns the kind of the definition in words, for messages. */
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
   * @param inherits the name of the interface it inherits from, or null; always null if partial
   */
  record Interface(
      String name,
      boolean partial,
      @Nullable String inherits,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    public Interface {
      members = List.copyOf(members);
    }
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-interface-mixins">interface mixin</a> or
   * partial interface mixin.
   */
  record Mixin(
      String name,
      boolean partial,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    public Mixin {
      members = List.copyOf(members);
    }
  }

  /** An <a href="https://webidl.spec.whatwg.org/#includes-statement">includes statement</a>. */
  record Includes(
      String name, String mixin, ExtendedAttributes extendedAttributes, SourcePosition position)
      implements Definition {}

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-dictionaries">dictionary</a> or partial
   * dictionary.
   *
   * @param inherits the name of the dictionary it inherits from, or null; always null if partial
   * @param members its members in text order; immutable
   */
  record Dictionary(
      String name,
      boolean partial,
      @Nullable String inherits,
      List<DictionaryMember> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    public Dictionary {
      members = List.copyOf(members);
    }
  }

  /**
   * An <a href="https://webidl.spec.whatwg.org/#idl-enums">enumeration</a>.
   *
   * @param values its values in text order; immutable, never empty
   */
  record Enumeration(
      String name,
      List<String> values,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition, NamedDefinition {
    public Enumeration {
      values = List.copyOf(values);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-typedefs">typedef</a>.
   *
   * @param extendedAttributes extended attributes before the keyword {@code typedef}
   */
  record Typedef(
      String name, IdlType type, ExtendedAttributes extendedAttributes, SourcePosition position)
      implements Definition {}

  /** A <a href="https://webidl.spec.whatwg.org/#idl-callback-functions">callback function</a>. */
  record CallbackFunction(
      String name,
      IdlType returnType,
      List<Argument> arguments,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition, NamedDefinition {
    public CallbackFunction {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#dfn-callback-interface">callback interface</a>.
   *
   * @param members its constants and regular operations; immutable
   */
  record CallbackInterface(
      String name,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    public CallbackInterface {
      members = List.copyOf(members);
    }
  }

  /**
   * A <a href="https://webidl.spec.whatwg.org/#idl-namespaces">namespace</a> or partial namespace.
   */
  record Namespace(
      String name,
      boolean partial,
      List<Member> members,
      ExtendedAttributes extendedAttributes,
      SourcePosition position)
      implements Definition {
    public Namespace {
      members = List.copyOf(members);
    }
  }
}
