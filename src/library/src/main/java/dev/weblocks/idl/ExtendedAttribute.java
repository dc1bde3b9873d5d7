package dev.weblocks.idl;

import java.math.BigInteger;
import java.util.List;

/**
 * One <a href="https://webidl.spec.whatwg.org/#dfn-extended-attribute">extended attribute</a>, such
 * as {@code [SecureContext]} or {@code [Exposed=(Window,Worker)]}.
 *
 * <p>Two extended attributes are equal if their names and values are, whatever their positions:
 * {@code [Clamp] long} is one type.
 *
 * @param name the identifier it begins with, unescaped
 * @param value the part after the name
 */
public record ExtendedAttribute(String name, Value value, SourcePosition position) {

  /** The value of an extended attribute. */
  public sealed interface Value {

    /** No value: {@code [Default]}. */
    record None() implements Value {}

    /** An identifier: {@code [PutForwards=href]}. */
    record Identifier(String name) implements Value {}

    /**
     * Identifiers in parentheses: {@code [Exposed=(Window,Worker)]}.
     *
     * @param names the identifiers, unescaped, in text order; immutable, never empty
     */
    record IdentifierList(List<String> names) implements Value {
      public IdentifierList {
        names = List.copyOf(names);
      }
    }

    /**
     * A string: {@code [Reflect="aria-label"]}.
     *
     * @param text the characters between the quotation marks
     */
    record Text(String text) implements Value {}

    /** An integer: {@code [ReflectDefault=2]}. */
    record IntegerNumber(BigInteger value) implements Value {}

    /**
     * Integers in parentheses: {@code [ReflectRange=(1, 1000)]}.
     *
     * @param values the numbers in text order; immutable, never empty
     */
    record IntegerList(List<BigInteger> values) implements Value {
      public IntegerList {
        values = List.copyOf(values);
      }
    }

    /** A decimal number: {@code [ReflectDefault=0.5]}. */
    record DecimalNumber(String text) implements Value {}

    /** The wildcard: {@code [Exposed=*]}. */
    record Wildcard() implements Value {}

    /**
     * Arguments: {@code [Name(DOMString a, optional long b)]}.
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

  /** Returns the identifiers in the value, in text order; empty if there are none. */
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
