package dev.weblocks.idl;

import java.math.BigInteger;
import java.util.List;

/**
 * One <a href="https://webidl.spec.whatwg.org/#dfn-extended-attribute">extended attribute</a>, such
 * as {@code [SecureContext]} or {@code [Exposed=(Window,Worker)]}.
 *
 * <p>Equality ignores the position, so that every {@code [Clamp] long} is the same type.
 *
 * @param name the identifier it begins with, unescaped
 * @param value the part after the name
 */
public record ExtendedAttribute(String name, Value value, SourcePosition position) {

  /** The value of an extended attribute. */
  public sealed interface Value {

    /** No value, as in {@code [Default]}. */
    record None() implements Value {}

    /** An identifier, as in {@code [PutForwards=href]}. */
    record Identifier(String name) implements Value {}

    /**
     * Identifiers in parentheses, as in {@code [Exposed=(Window,Worker)]}.
     *
     * @param names the identifiers, unescaped, in text order; immutable, never empty
     */
    record IdentifierList(List<String> names) implements Value {
      public IdentifierList {
        names = List.copyOf(names);
      }
    }

    /**
     * A string, as in {@code [Reflect="aria-label"]}.
     *
     * @param text the characters between the quotation marks
     */
    record Text(String text) implements Value {}

    /** An integer, as in {@code [ReflectDefault=2]}. */
    record IntegerNumber(BigInteger value) implements Value {}

    /**
     * Integers in parentheses, as in {@code [ReflectRange=(1, 1000)]}.
     *
     * @param values the numbers in text order; immutable, never empty
     */
    record IntegerList(List<BigInteger> values) implements Value {
      public IntegerList {
        values = List.copyOf(values);
      }
    }

    /** A decimal number, as in {@code [ReflectDefault=0.5]}. */
    record DecimalNumber(String text) implements Value {}

    /** The wildcard, as in {@code [Exposed=*]}. */
    record Wildcard() implements Value {}

    /**
     * Arguments, as in {@code [Name(DOMString a, optional long b)]}.
     *
     * @param arguments the arguments in text order; immutable
     */
    record ArgumentList(List<Argument> arguments) implements Value {
      public ArgumentList {
        arguments = List.copyOf(arguments);
      }
    }

    /**
     * A name with arguments: {@code [LegacyFactoryFunction=Image(optional unsigned long width)]}.
     *
     * @param name the identifier before the parenthesis, unescaped
     * @param arguments the arguments in text order; immutable
     */
    record NamedArgumentList(String name, List<Argument> arguments) implements Value {
      public NamedArgumentList {
        arguments = List.copyOf(arguments);
      }
    }

    /**
     * Any other balanced sequence of tokens. The grammar allows it; no extended attribute of the
     * standard uses it.
     *
     * @param tokens the tokens after the name, as written; immutable, never empty
     */
    record OtherTokens(List<String> tokens) implements Value {
      public OtherTokens {
        tokens = List.copyOf(tokens);
      }
    }
  }

  /** Returns the identifiers of an identifier or identifier list; empty for other values. */
  public List<String> identifiers() {
    return switch (value) {
      case Value.Identifier identifier -> List.of(identifier.name());
      case Value.IdentifierList identifiers -> identifiers.names();
      default -> List.of();
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExtendedAttribute that
        && name.equals(that.name)
        && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + value.hashCode();
  }
}
