package dev.weblocks.idl;

import dev.weblocks.idl.IdlType.AnnotatedType;
import dev.weblocks.idl.IdlType.AnyType;
import dev.weblocks.idl.IdlType.AsyncSequenceType;
import dev.weblocks.idl.IdlType.Buffer;
import dev.weblocks.idl.IdlType.BufferType;
import dev.weblocks.idl.IdlType.FrozenArrayType;
import dev.weblocks.idl.IdlType.NamedType;
import dev.weblocks.idl.IdlType.NullableType;
import dev.weblocks.idl.IdlType.ObjectType;
import dev.weblocks.idl.IdlType.ObservableArrayType;
import dev.weblocks.idl.IdlType.Primitive;
import dev.weblocks.idl.IdlType.PrimitiveType;
import dev.weblocks.idl.IdlType.PromiseType;
import dev.weblocks.idl.IdlType.RecordType;
import dev.weblocks.idl.IdlType.SequenceType;
import dev.weblocks.idl.IdlType.StringType;
import dev.weblocks.idl.IdlType.SymbolType;
import dev.weblocks.idl.IdlType.Text;
import dev.weblocks.idl.IdlType.UndefinedType;
import dev.weblocks.idl.IdlType.UnionType;
import dev.weblocks.idl.Member.Special;
import dev.weblocks.idl.Token.Kind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parser of IDL text. It follows the <a href="https://webidl.spec.whatwg.org/#idl-grammar">IDL
 * grammar</a>, with one method per production or pair of productions.
 */
public final class IdlParser {

  /** The keywords that may name an argument unescaped: {@code ArgumentNameKeyword}. */
  private static final Set<String> ARGUMENT_NAME_KEYWORDS =
      Set.of(
          """
          attribute callback const constructor deleter dictionary enum getter includes inherit
          interface iterable maplike mixin namespace partial readonly required setlike setter
          static stringifier typedef unrestricted
          """
              .split("\\s+"));

  private static final Map<String, Text> STRINGS = new HashMap<>();
  private static final Map<String, Buffer> BUFFERS = new HashMap<>();

  static {
    for (Text kind : Text.values()) {
      STRINGS.put(kind.toIdl(), kind);
    }
    for (Buffer kind : Buffer.values()) {
      BUFFERS.put(kind.toIdl(), kind);
    }
  }

  /** A limit, so that no text overflows the stack. The IDL of browsers needs less than ten. */
  private static final int MAX_DEPTH = 64;

  private final List<Token> tokens;
  private int next;

  /** The number of types and extended attributes that the next token is in. */
  private int depth;

  private IdlParser(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * Parses one IDL text.
   *
   * @param sourceName name of the text for error messages, such as a file name
   * @throws IdlSyntaxException if the text does not follow the grammar, nests types or extended
   *     attributes more than 64 deep, or has an integer of more than 1,000 characters
   */
  public static IdlFile parse(String sourceName, String text) {
    IdlParser parser = new IdlParser(Tokenizer.tokenize(sourceName, text));
    return new IdlFile(sourceName, parser.definitions());
  }

  // Definitions

  private List<Definition> definitions() {
    List<Definition> definitions = new ArrayList<>();
    while (peek().kind() != Kind.END) {
      definitions.add(definition(extendedAttributeList()));
    }
    return definitions;
  }

  private Definition definition(ExtendedAttributes attributes) {
    Token start = peek();
    SourcePosition position = start.position();
    if (accept("callback")) {
      return callbackRestOrInterface(attributes, position);
    }
    if (accept("interface")) {
      return peek().is("mixin")
          ? mixinRest(false, attributes, position)
          : interfaceRest(attributes, position);
    }
    if (accept("partial")) {
      return partialDefinition(attributes, position);
    }
    if (accept("namespace")) {
      return namespaceRest(false, attributes, position);
    }
    if (accept("dictionary")) {
      return dictionaryRest(false, attributes, position);
    }
    if (accept("enum")) {
      return enumRest(attributes, position);
    }
    if (accept("typedef")) {
      IdlType type = typeWithExtendedAttributes();
      String name = identifier("the new name of the type");
      semicolon("the typedef");
      return new Definition.Typedef(name, type, attributes, position);
    }
    if (start.kind() == Kind.IDENTIFIER) {
      String name = identifier("an interface");
      expect("includes", "\"includes\" (or a definition's keyword before the name)");
      String mixin = identifier("the name of a mixin");
      semicolon("the includes statement");
      return new Definition.Includes(name, mixin, attributes, position);
    }
    throw error(
        "a definition (interface, partial, dictionary, enum, callback, typedef, namespace or an"
            + " includes statement)");
  }

  private Definition callbackRestOrInterface(
      ExtendedAttributes attributes, SourcePosition position) {
    if (accept("interface")) {
      String name = identifier("the name of the callback interface");
      List<Member> members = members(this::callbackInterfaceMember);
      return new Definition.CallbackInterface(name, members, attributes, position);
    }
    String name = identifier("the name of the callback function, or \"interface\"");
    expect("=");
    IdlType returnType = type();
    List<Argument> arguments = argumentsInParentheses();
    semicolon("the callback function");
    return new Definition.CallbackFunction(name, returnType, arguments, attributes, position);
  }

  private Definition interfaceRest(ExtendedAttributes attributes, SourcePosition position) {
    String name = identifier("the name of the interface, or \"mixin\"");
    String inherits = inheritance();
    List<Member> members = members(this::interfaceMember);
    return new Definition.Interface(name, false, inherits, members, attributes, position);
  }

  private Definition mixinRest(
      boolean partial, ExtendedAttributes attributes, SourcePosition position) {
    expect("mixin");
    String name = identifier("the name of the mixin");
    List<Member> members = members(this::mixinMember);
    return new Definition.Mixin(name, partial, members, attributes, position);
  }

  private Definition partialDefinition(ExtendedAttributes attributes, SourcePosition position) {
    if (accept("interface")) {
      if (peek().is("mixin")) {
        return mixinRest(true, attributes, position);
      }
      String name = identifier("the name of the interface, or \"mixin\"");
      List<Member> members = members(this::partialInterfaceMember);
      return new Definition.Interface(name, true, null, members, attributes, position);
    }
    if (accept("dictionary")) {
      return dictionaryRest(true, attributes, position);
    }
    if (accept("namespace")) {
      return namespaceRest(true, attributes, position);
    }
    throw error("\"interface\", \"dictionary\" or \"namespace\" after \"partial\"");
  }

  private Definition namespaceRest(
      boolean partial, ExtendedAttributes attributes, SourcePosition position) {
    String name = identifier("the name of the namespace");
    List<Member> members = members(this::namespaceMember);
    return new Definition.Namespace(name, partial, members, attributes, position);
  }

  private Definition dictionaryRest(
      boolean partial, ExtendedAttributes attributes, SourcePosition position) {
    String name = identifier("the name of the dictionary");
    String inherits = partial ? null : inheritance();
    expect("{");
    List<DictionaryMember> members = new ArrayList<>();
    while (!accept("}")) {
      members.add(dictionaryMember());
    }
    semicolon("the dictionary");
    return new Definition.Dictionary(name, partial, inherits, members, attributes, position);
  }

  private DictionaryMember dictionaryMember() {
    ExtendedAttributes attributes = extendedAttributeList();
    SourcePosition position = peek().position();
    if (accept("required")) {
      IdlType type = typeWithExtendedAttributes();
      String name = identifier("the name of the dictionary member");
      semicolon("the required dictionary member \"" + name + "\", which has no default value");
      return new DictionaryMember(name, type, true, null, attributes, position);
    }
    IdlType type = annotated(attributes.applicableToTypes(), type());
    String name = identifier("the name of the dictionary member");
    IdlLiteral defaultValue = defaultValue();
    semicolon("the dictionary member \"" + name + "\"");
    return new DictionaryMember(
        name, type, false, defaultValue, attributes.notApplicableToTypes(), position);
  }

  private Definition enumRest(ExtendedAttributes attributes, SourcePosition position) {
    String name = identifier("the name of the enumeration");
    expect("{");
    List<String> values = new ArrayList<>();
    do {
      if (!values.isEmpty() && peek().is("}")) {
        break; // a comma may follow the last value
      }
      if (peek().kind() != Kind.STRING) {
        throw error("a string, the next value of the enumeration \"" + name + "\"");
      }
      values.add(advance().text());
    } while (accept(","));
    expect("}", "\",\" or \"}\"");
    semicolon("the enumeration");
    return new Definition.Enumeration(name, values, attributes, position);
  }

  private @Nullable String inheritance() {
    return accept(":") ? identifier("the name to inherit from") : null;
  }

  // Members

  @FunctionalInterface
  private interface MemberProduction {
    Member parse(ExtendedAttributes attributes, SourcePosition position);
  }

  private List<Member> members(MemberProduction production) {
    expect("{");
    List<Member> members = new ArrayList<>();
    while (!accept("}")) {
      ExtendedAttributes attributes = extendedAttributeList();
      members.add(production.parse(attributes, peek().position()));
    }
    semicolon("\"}\"");
    return members;
  }

  private Member interfaceMember(ExtendedAttributes attributes, SourcePosition position) {
    if (accept("constructor")) {
      List<Argument> arguments = argumentsInParentheses();
      semicolon("the constructor");
      return new Member.Constructor(arguments, attributes, position);
    }
    return partialInterfaceMember(attributes, position);
  }

  private Member partialInterfaceMember(ExtendedAttributes attributes, SourcePosition position) {
    Token start = peek();
    if (start.kind() != Kind.TERMINAL) {
      return operationRest(false, Special.NONE, attributes, position);
    }
    return switch (start.text()) {
      case "const" -> constRest(attributes, position);
      case "stringifier" -> stringifier(attributes, position);
      case "static" -> {
        advance();
        if (peek().is("readonly") || peek().is("attribute")) {
          boolean readOnly = accept("readonly");
          yield attributeRest(readOnly, true, false, false, attributes, position);
        }
        yield operationRest(true, Special.NONE, attributes, position);
      }
      case "iterable" -> {
        advance();
        expect("<");
        IdlType first = typeWithExtendedAttributes();
        IdlType second = accept(",") ? typeWithExtendedAttributes() : null;
        expect(">");
        semicolon("the iterable declaration");
        yield new Member.IterableDeclaration(
            second == null ? null : first, second == null ? first : second, attributes, position);
      }
      case "async_iterable" -> {
        advance();
        expect("<");
        IdlType first = typeWithExtendedAttributes();
        IdlType second = accept(",") ? typeWithExtendedAttributes() : null;
        expect(">");
        List<Argument> arguments = peek().is("(") ? argumentsInParentheses() : List.of();
        semicolon("the async_iterable declaration");
        yield new Member.AsyncIterableDeclaration(
            second == null ? null : first,
            second == null ? first : second,
            arguments,
            attributes,
            position);
      }
      case "readonly" -> {
        advance();
        if (peek().is("maplike")) {
          yield maplikeRest(true, attributes, position);
        }
        if (peek().is("setlike")) {
          yield setlikeRest(true, attributes, position);
        }
        if (peek().is("attribute")) {
          yield attributeRest(true, false, false, false, attributes, position);
        }
        throw error("\"attribute\", \"maplike\" or \"setlike\" after \"readonly\"");
      }
      case "attribute" -> attributeRest(false, false, false, false, attributes, position);
      case "inherit" -> {
        advance();
        yield attributeRest(false, false, true, false, attributes, position);
      }
      case "maplike" -> maplikeRest(false, attributes, position);
      case "setlike" -> setlikeRest(false, attributes, position);
      case "getter" -> {
        advance();
        yield operationRest(false, Special.GETTER, attributes, position);
      }
      case "setter" -> {
        advance();
        yield operationRest(false, Special.SETTER, attributes, position);
      }
      case "deleter" -> {
        advance();
        yield operationRest(false, Special.DELETER, attributes, position);
      }
      case "constructor" ->
          throw error(
              "a member of a partial interface (a constructor belongs in the original definition)");
      default -> operationRest(false, Special.NONE, attributes, position);
    };
  }

  private Member mixinMember(ExtendedAttributes attributes, SourcePosition position) {
    if (peek().is("const")) {
      return constRest(attributes, position);
    }
    if (peek().is("stringifier")) {
      return stringifier(attributes, position);
    }
    if (peek().is("readonly") || peek().is("attribute")) {
      boolean readOnly = accept("readonly");
      return attributeRest(readOnly, false, false, false, attributes, position);
    }
    return regularOperation("mixin", attributes, position);
  }

  private Member namespaceMember(ExtendedAttributes attributes, SourcePosition position) {
    if (peek().is("const")) {
      return constRest(attributes, position);
    }
    if (accept("readonly")) {
      return attributeRest(true, false, false, false, attributes, position);
    }
    if (peek().is("attribute")) {
      throw error("\"readonly\" before \"attribute\" (attributes of a namespace are read-only)");
    }
    return regularOperation("namespace", attributes, position);
  }

  private Member callbackInterfaceMember(ExtendedAttributes attributes, SourcePosition position) {
    return peek().is("const")
        ? constRest(attributes, position)
        : regularOperation("callback interface", attributes, position);
  }

  private Member regularOperation(
      String where, ExtendedAttributes attributes, SourcePosition position) {
    if (ARGUMENT_NAME_KEYWORDS.contains(peek().text())
        && peek().isKeyword()
        && !peek().is("unrestricted")) {
      throw error("a member that a " + where + " may have");
    }
    return operationRest(false, Special.NONE, attributes, position);
  }

  private Member constRest(ExtendedAttributes attributes, SourcePosition position) {
    expect("const");
    IdlType type = primitiveType();
    if (type == null) {
      SourcePosition typePosition = peek().position();
      type = new NamedType(identifier("a primitive type, or a typedef of one"), typePosition);
    }
    String name = identifier("the name of the constant");
    expect("=");
    IdlLiteral.ConstantLiteral value = constValue();
    if (value == null) {
      throw error("true, false or a number");
    }
    semicolon("the constant \"" + name + "\"");
    return new Member.Constant(name, type, value, attributes, position);
  }

  private Member stringifier(ExtendedAttributes attributes, SourcePosition position) {
    expect("stringifier");
    if (accept(";")) {
      return new Member.Stringifier(attributes, position);
    }
    if (!peek().is("readonly") && !peek().is("attribute")) {
      throw error("\";\" or an attribute after \"stringifier\"");
    }
    boolean readOnly = accept("readonly");
    return attributeRest(readOnly, false, false, true, attributes, position);
  }

  private Member attributeRest(
      boolean readOnly,
      boolean isStatic,
      boolean inherit,
      boolean stringifier,
      ExtendedAttributes attributes,
      SourcePosition position) {
    expect("attribute");
    IdlType type = typeWithExtendedAttributes();
    String name =
        peek().is("required") ? advance().text() : identifier("the name of the attribute");
    semicolon("the attribute \"" + name + "\"");
    return new Member.Attribute(
        name, type, readOnly, isStatic, inherit, stringifier, attributes, position);
  }

  private Member operationRest(
      boolean isStatic, Special special, ExtendedAttributes attributes, SourcePosition position) {
    if (!beginsType(peek())) {
      throw error(
          isStatic || special != Special.NONE
              ? "the return type of an operation"
              : "a member (attribute, operation, const or another) or \"}\"");
    }
    IdlType returnType = type();
    String name = null;
    if (peek().is("includes")) {
      name = advance().text();
    } else if (special == Special.NONE || !peek().is("(")) {
      if (peek().is("iterable") && returnType instanceof NamedType t && t.name().equals("async")) {
        throw error("\"async_iterable\", the current spelling of \"async iterable\",");
      }
      // In the grammar each name is optional, in the standard only those of special operations.
      name = identifier("the name of the operation");
    }
    List<Argument> arguments = argumentsInParentheses();
    semicolon(name == null ? "the operation" : "the operation \"" + name + "\"");
    return new Member.Operation(
        name, returnType, arguments, isStatic, special, attributes, position);
  }

  private Member maplikeRest(
      boolean readOnly, ExtendedAttributes attributes, SourcePosition position) {
    expect("maplike");
    expect("<");
    IdlType key = typeWithExtendedAttributes();
    expect(",");
    IdlType value = typeWithExtendedAttributes();
    expect(">");
    semicolon("the maplike declaration");
    return new Member.MaplikeDeclaration(key, value, readOnly, attributes, position);
  }

  private Member setlikeRest(
      boolean readOnly, ExtendedAttributes attributes, SourcePosition position) {
    expect("setlike");
    expect("<");
    IdlType value = typeWithExtendedAttributes();
    expect(">");
    semicolon("the setlike declaration");
    return new Member.SetlikeDeclaration(value, readOnly, attributes, position);
  }

  // Arguments and values

  private List<Argument> argumentsInParentheses() {
    expect("(");
    List<Argument> arguments = new ArrayList<>();
    if (!peek().is(")")) {
      do {
        arguments.add(argument());
      } while (accept(","));
    }
    expect(")", "\",\" or \")\" after an argument");
    return arguments;
  }

  private Argument argument() {
    ExtendedAttributes attributes = extendedAttributeList();
    SourcePosition position = peek().position();
    if (accept("optional")) {
      IdlType type = typeWithExtendedAttributes();
      String name = argumentName();
      return new Argument(name, type, true, false, defaultValue(), attributes, position);
    }
    IdlType type = annotated(attributes.applicableToTypes(), type());
    boolean variadic = accept("...");
    String name = argumentName();
    if (peek().is("=")) {
      throw error("\",\" or \")\" (only an argument marked \"optional\" has a default value)");
    }
    return new Argument(
        name, type, false, variadic, null, attributes.notApplicableToTypes(), position);
  }

  private String argumentName() {
    Token token = peek();
    return token.isKeyword() && ARGUMENT_NAME_KEYWORDS.contains(token.text())
        ? advance().text()
        : identifier("the name of the argument");
  }

  private @Nullable IdlLiteral defaultValue() {
    if (!accept("=")) {
      return null;
    }
    IdlLiteral.ConstantLiteral constant = constValue();
    if (constant != null) {
      return constant;
    }
    if (peek().kind() == Kind.STRING) {
      return new IdlLiteral.StringLiteral(advance().text());
    }
    if (accept("[")) {
      expect("]");
      return new IdlLiteral.EmptySequenceLiteral();
    }
    if (accept("{")) {
      expect("}");
      return new IdlLiteral.EmptyDictionaryLiteral();
    }
    if (accept("null")) {
      return new IdlLiteral.NullLiteral();
    }
    if (accept("undefined")) {
      return new IdlLiteral.UndefinedLiteral();
    }
    throw error("a default value (true, false, a number, a string, null, undefined, [] or {})");
  }

  /** Reads a constant value; if there is none, returns null and consumes nothing. */
  private IdlLiteral.@Nullable ConstantLiteral constValue() {
    Token token = peek();
    return switch (token.kind()) {
      case INTEGER -> new IdlLiteral.IntegerLiteral(integerValue(advance().text()));
      case DECIMAL -> new IdlLiteral.DecimalLiteral(advance().text());
      case TERMINAL ->
          switch (token.text()) {
            case "true", "false" -> new IdlLiteral.BooleanLiteral(advance().text().equals("true"));
            case "Infinity", "-Infinity", "NaN" -> new IdlLiteral.DecimalLiteral(advance().text());
            default -> null;
          };
      case IDENTIFIER, STRING, END -> null;
    };
  }

  /**
   * Returns the <a href="https://webidl.spec.whatwg.org/#dfn-value-of-integer-tokens">value of an
   * integer token</a>, hexadecimal, octal or decimal by its prefix.
   */
  private static BigInteger integerValue(String text) {
    boolean negative = text.startsWith("-");
    String digits = negative ? text.substring(1) : text;
    BigInteger value;
    if (digits.startsWith("0x") || digits.startsWith("0X")) {
      value = new BigInteger(digits.substring(2), 16);
    } else if (digits.startsWith("0")) {
      value = new BigInteger(digits, 8);
    } else {
      value = new BigInteger(digits);
    }
    return negative ? value.negate() : value;
  }

  // Types

  private IdlType typeWithExtendedAttributes() {
    ExtendedAttributes attributes = extendedAttributeList();
    return annotated(attributes, type());
  }

  private static IdlType annotated(ExtendedAttributes attributes, IdlType type) {
    return attributes.isEmpty() ? type : new AnnotatedType(attributes, type);
  }

  private IdlType type() {
    enter();
    IdlType type = typeInside();
    depth--;
    return type;
  }

  private IdlType typeInside() {
    if (peek().is("(")) {
      return nullable(unionType());
    }
    if (accept("any")) {
      if (peek().is("?")) {
        throw error("no \"?\" (any already includes null)");
      }
      return new AnyType();
    }
    if (accept("Promise")) {
      expect("<");
      IdlType result = type();
      expect(">");
      if (peek().is("?")) {
        throw error("no \"?\" (a promise type is never nullable)");
      }
      return new PromiseType(result);
    }
    return distinguishableType("a type");
  }

  private IdlType unionType() {
    enter();
    expect("(");
    List<IdlType> members = new ArrayList<>();
    members.add(unionMemberType());
    expect("or");
    do {
      members.add(unionMemberType());
    } while (accept("or"));
    expect(")", "\"or\" or \")\"");
    depth--;
    return new UnionType(members);
  }

  private IdlType unionMemberType() {
    if (peek().is("(")) {
      return nullable(unionType());
    }
    ExtendedAttributes attributes = extendedAttributeList();
    return annotated(
        attributes,
        distinguishableType("a type that may be a member of a union (not any or Promise)"));
  }

  private IdlType nullable(IdlType type) {
    return accept("?") ? new NullableType(type) : type;
  }

  private IdlType distinguishableType(String expected) {
    IdlType primitive = primitiveType();
    if (primitive != null) {
      return nullable(primitive);
    }
    Token token = peek();
    if (token.kind() == Kind.IDENTIFIER) {
      return nullable(new NamedType(identifier(expected), token.position()));
    }
    if (token.kind() != Kind.TERMINAL) {
      throw error(expected);
    }
    Text string = STRINGS.get(token.text());
    if (string != null) {
      advance();
      return nullable(new StringType(string));
    }
    Buffer buffer = BUFFERS.get(token.text());
    if (buffer != null) {
      advance();
      return nullable(new BufferType(buffer));
    }
    IdlType type =
        switch (token.text()) {
          case "sequence" -> new SequenceType(elementType());
          case "async_sequence" -> new AsyncSequenceType(elementType());
          case "FrozenArray" -> new FrozenArrayType(elementType());
          case "ObservableArray" -> new ObservableArrayType(elementType());
          case "record" -> recordType();
          case "object" -> {
            advance();
            yield new ObjectType();
          }
          case "symbol" -> {
            advance();
            yield new SymbolType();
          }
          case "undefined" -> {
            advance();
            yield new UndefinedType();
          }
          default -> throw error(expected);
        };
    return nullable(type);
  }

  private IdlType elementType() {
    advance();
    expect("<");
    IdlType element = typeWithExtendedAttributes();
    expect(">");
    return element;
  }

  private IdlType recordType() {
    expect("record");
    expect("<");
    Text key = peek().kind() == Kind.TERMINAL ? STRINGS.get(peek().text()) : null;
    if (key == null) {
      throw error("DOMString, ByteString or USVString as the key type of a record");
    }
    advance();
    expect(",");
    IdlType value = typeWithExtendedAttributes();
    expect(">");
    return new RecordType(new StringType(key), value);
  }

  /** Reads a primitive type; if there is none, returns null and consumes nothing. */
  private @Nullable IdlType primitiveType() {
    if (peek().kind() != Kind.TERMINAL) {
      return null;
    }
    Primitive kind =
        switch (peek().text()) {
          case "boolean" -> Primitive.BOOLEAN;
          case "byte" -> Primitive.BYTE;
          case "octet" -> Primitive.OCTET;
          case "bigint" -> Primitive.BIGINT;
          case "float" -> Primitive.FLOAT;
          case "double" -> Primitive.DOUBLE;
          case "short" -> Primitive.SHORT;
          case "long" -> Primitive.LONG;
          case "unsigned" -> {
            advance();
            if (peek().is("short")) {
              yield Primitive.UNSIGNED_SHORT;
            }
            if (peek().is("long")) {
              yield Primitive.UNSIGNED_LONG;
            }
            throw error("\"short\" or \"long\" after \"unsigned\"");
          }
          case "unrestricted" -> {
            advance();
            if (peek().is("float")) {
              yield Primitive.UNRESTRICTED_FLOAT;
            }
            if (peek().is("double")) {
              yield Primitive.UNRESTRICTED_DOUBLE;
            }
            throw error("\"float\" or \"double\" after \"unrestricted\"");
          }
          default -> null;
        };
    if (kind == null) {
      return null;
    }
    advance();
    if (kind == Primitive.LONG && accept("long")) {
      kind = Primitive.LONG_LONG;
    } else if (kind == Primitive.UNSIGNED_LONG && accept("long")) {
      kind = Primitive.UNSIGNED_LONG_LONG;
    }
    return new PrimitiveType(kind);
  }

  private static boolean beginsType(Token token) {
    return switch (token.kind()) {
      case IDENTIFIER -> true;
      case TERMINAL ->
          switch (token.text()) {
            case "(",
                "any",
                "Promise",
                "sequence",
                "async_sequence",
                "FrozenArray",
                "ObservableArray",
                "record",
                "object",
                "symbol",
                "undefined",
                "boolean",
                "byte",
                "octet",
                "bigint",
                "float",
                "double",
                "short",
                "long",
                "unsigned",
                "unrestricted" ->
                true;
            default -> STRINGS.containsKey(token.text()) || BUFFERS.containsKey(token.text());
          };
      case INTEGER, DECIMAL, STRING, END -> false;
    };
  }

  // Extended attributes

  private ExtendedAttributes extendedAttributeList() {
    if (!peek().is("[")) {
      return ExtendedAttributes.NONE;
    }
    enter();
    advance();
    List<ExtendedAttribute> attributes = new ArrayList<>();
    do {
      attributes.add(extendedAttribute());
    } while (accept(","));
    expect("]", "\",\" or \"]\" after an extended attribute");
    depth--;
    return new ExtendedAttributes(attributes);
  }

  private ExtendedAttribute extendedAttribute() {
    Token start = peek();
    if (start.kind() == Kind.END || endsExtendedAttribute()) {
      throw error("an extended attribute");
    }
    int startIndex = next;
    if (start.kind() == Kind.IDENTIFIER) {
      String name = identifier("an extended attribute");
      ExtendedAttribute.Value value = knownShape(name);
      if (value != null && endsExtendedAttribute()) {
        return new ExtendedAttribute(name, value, start.position());
      }
    }
    next = startIndex;
    return otherTokens(start);
  }

  private boolean endsExtendedAttribute() {
    return peek().is(",") || peek().is("]");
  }

  /**
   * Reads a value in a known <a
   * href="https://webidl.spec.whatwg.org/#idl-extended-attributes">form</a>, else returns null.
   */
  private ExtendedAttribute.@Nullable Value knownShape(String name) {
    if (endsExtendedAttribute()) {
      return new ExtendedAttribute.Value.None();
    }
    if (peek().is("(")) {
      List<Argument> arguments = argumentsOrNull();
      return arguments == null ? null : new ExtendedAttribute.Value.ArgumentList(arguments);
    }
    if (!accept("=")) {
      return null;
    }
    if (accept("*")) {
      return new ExtendedAttribute.Value.Wildcard();
    }
    if (accept("(")) {
      return list();
    }
    return switch (peek().kind()) {
      case STRING -> new ExtendedAttribute.Value.Text(advance().text());
      case INTEGER -> new ExtendedAttribute.Value.IntegerNumber(integerValue(advance().text()));
      case DECIMAL -> new ExtendedAttribute.Value.DecimalNumber(advance().text());
      case IDENTIFIER -> identifierOrNamedArgumentList(name);
      case TERMINAL, END -> null;
    };
  }

  private ExtendedAttribute.@Nullable Value identifierOrNamedArgumentList(String attribute) {
    String identifier = identifier("a name");
    if (!peek().is("(")) {
      return new ExtendedAttribute.Value.Identifier(identifier);
    }
    if (attribute.equals("LegacyFactoryFunction")) { // must be arguments: report errors in them
      return new ExtendedAttribute.Value.NamedArgumentList(identifier, argumentsInParentheses());
    }
    List<Argument> arguments = argumentsOrNull();
    return arguments == null
        ? null
        : new ExtendedAttribute.Value.NamedArgumentList(identifier, arguments);
  }

  private ExtendedAttribute.@Nullable Value list() {
    Kind kind = peek().kind();
    if (kind != Kind.IDENTIFIER && kind != Kind.INTEGER) {
      return null;
    }
    List<Token> elements = new ArrayList<>();
    do {
      if (peek().kind() != kind) {
        return null;
      }
      elements.add(advance());
    } while (accept(","));
    if (!accept(")")) {
      return null;
    }
    return kind == Kind.IDENTIFIER
        ? new ExtendedAttribute.Value.IdentifierList(
            elements.stream().map(token -> unescaped(token.text())).toList())
        : new ExtendedAttribute.Value.IntegerList(
            elements.stream().map(token -> integerValue(token.text())).toList());
  }

  /** Reads arguments in parentheses; returns null for other tokens, which are not an error. */
  private @Nullable List<Argument> argumentsOrNull() {
    int depthBefore = depth;
    try {
      return argumentsInParentheses();
    } catch (IdlSyntaxException otherTokens) {
      depth = depthBefore;
      return null;
    }
  }

  /** Reads any balanced sequence of tokens up to the comma or bracket that ends it. */
  private ExtendedAttribute otherTokens(Token start) {
    List<String> texts = new ArrayList<>();
    List<String> open = new ArrayList<>();
    while (!open.isEmpty() || !endsExtendedAttribute()) {
      Token token = peek();
      if (token.kind() == Kind.END) {
        throw error(open.isEmpty() ? "\"]\"" : "\"" + open.getLast() + "\"");
      }
      if (token.kind() == Kind.TERMINAL) {
        switch (token.text()) {
          case "(" -> open.add(")");
          case "[" -> open.add("]");
          case "{" -> open.add("}");
          case ")", "]", "}" -> {
            if (open.isEmpty() || !open.getLast().equals(token.text())) {
              throw error(open.isEmpty() ? "\"]\"" : "\"" + open.getLast() + "\"");
            }
            open.removeLast();
          }
          default -> {}
        }
      }
      texts.add(advance().asWritten());
    }
    List<String> rest = texts.subList(1, texts.size());
    return new ExtendedAttribute(
        unescaped(start.text()),
        rest.isEmpty()
            ? new ExtendedAttribute.Value.None()
            : new ExtendedAttribute.Value.OtherTokens(rest),
        start.position());
  }

  // Tokens

  /** Begins a type or a list of extended attributes, at whose end the depth is decreased. */
  private void enter() {
    if (depth == MAX_DEPTH) {
      throw error("at most " + MAX_DEPTH + " types and extended attributes inside each other");
    }
    depth++;
  }

  private Token peek() {
    return tokens.get(next);
  }

  private Token advance() {
    Token token = tokens.get(next);
    if (token.kind() != Kind.END) {
      next++;
    }
    return token;
  }

  private boolean accept(String terminal) {
    if (peek().is(terminal)) {
      next++;
      return true;
    }
    return false;
  }

  private void expect(String terminal) {
    expect(terminal, "\"" + terminal + "\"");
  }

  private void expect(String terminal, String expected) {
    if (!accept(terminal)) {
      throw error(expected);
    }
  }

  private void semicolon(String after) {
    expect(";", "\";\" after " + after);
  }

  /** Reads an identifier and drops the underscore that escapes it. */
  private String identifier(String expected) {
    Token token = peek();
    if (token.isKeyword()) {
      String remedy = " (write \"_" + token.text() + "\" to use the word as a name)";
      throw new IdlSyntaxException(token.position(), expected, token.inWords() + remedy);
    }
    if (token.kind() != Kind.IDENTIFIER) {
      throw error(expected);
    }
    return unescaped(advance().text());
  }

  private static String unescaped(String identifier) {
    return identifier.startsWith("_") ? identifier.substring(1) : identifier;
  }

  private IdlSyntaxException error(String expected) {
    return new IdlSyntaxException(peek().position(), expected, peek().inWords());
  }
}
