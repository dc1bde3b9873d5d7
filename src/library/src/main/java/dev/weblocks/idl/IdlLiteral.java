package dev.weblocks.idl;

import java.math.BigInteger;

/**
 * A literal of IDL text: the value of a constant, or the <a
 * href="https://webidl.spec.whatwg.org/#dfn-optional-argument-default-value">default value</a> of
 * an argument or dictionary member.
 */
public sealed interface IdlLiteral {

  /** Returns the literal as IDL text, for messages. */
  String toIdl();

  sealed interface ConstantLiteral extends IdlLiteral {}

  record BooleanLiteral(boolean value) implements ConstantLiteral {
    @Override
    public String toIdl() {
      return Boolean.toString(value);
    }
  }

  /**
   * A decimal, octal or hexadecimal integer.
   *
   * @param value the number; not checked against the range of the declared type
   */
  record IntegerLiteral(BigInteger value) implements ConstantLiteral {
    @Override
    public String toIdl() {
      return value.toString();
    }
  }

  /** A number with fraction or exponent, or {@code Infinity}, {@code -Infinity} or {@code NaN}. */
  record DecimalLiteral(String text) implements ConstantLiteral {

    /** Returns the nearest {@code double}. */
    public double doubleValue() {
      return Double.parseDouble(text);
    }

    @Override
    public String toIdl() {
      return text;
    }
  }

  /**
   * A string.
   *
   * @param value the characters between the quotation marks
   */
  record StringLiteral(String value) implements IdlLiteral {
    @Override
    public String toIdl() {
      return '"' + value + '"';
    }
  }

  record NullLiteral() implements IdlLiteral {
    @Override
    public String toIdl() {
      return "null";
    }
  }

  record UndefinedLiteral() implements IdlLiteral {
    @Override
    public String toIdl() {
      return "undefined";
    }
  }

  /** {@code []}, the empty sequence. */
  record EmptySequenceLiteral() implements IdlLiteral {
    @Override
    public String toIdl() {
      return "[]";
    }
  }

  /** {@code {}}, the empty dictionary. */
  record EmptyDictionaryLiteral() implements IdlLiteral {
    @Override
    public String toIdl() {
      return "{}";
    }
  }
}
