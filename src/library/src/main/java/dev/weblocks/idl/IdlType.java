package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A <a href="https://webidl.spec.whatwg.org/#idl-types">type</a>.
 *
 * <p>Every type of an {@link IdlModel} is <em>resolved</em>: it contains no typedef, and no {@link
 * AnnotatedType} in it wraps a nullable, union or annotated type, because annotations are moved
 * inwards. The predicates here require resolved types; they do not expand typedefs.
 */
public sealed interface IdlType {

  record AnyType() implements IdlType {}

  record UndefinedType() implements IdlType {}

  record ObjectType() implements IdlType {}

  record SymbolType() implements IdlType {}

  /** A boolean, numeric or {@code bigint} type. */
  record PrimitiveType(Primitive kind) implements IdlType {}

  /** A string type of Web IDL; an enumeration is a {@link NamedType}. */
  record StringType(Text kind) implements IdlType {}

  /** A <a href="https://webidl.spec.whatwg.org/#dfn-buffer-source-type">buffer source type</a>. */
  record BufferType(Buffer kind) implements IdlType {}

  /** The name of a definition. Equality ignores the position. */
  record NamedType(String name, SourcePosition position) implements IdlType {
    @Override
    public boolean equals(Object other) {
      return other instanceof NamedType that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** A nullable type, {@code T?}. */
  record NullableType(IdlType inner) implements IdlType {}

  /**
   * A union type, {@code (A or B)}.
   *
   * @param members the member types in text order; immutable, at least two
   */
  record UnionType(List<IdlType> members) implements IdlType {
    public UnionType {
      members = List.copyOf(members);
    }

    /**
     * Returns the member types, with nested unions flattened and nullable types replaced by their
     * inner types. Unlike in the standard, annotations are kept, because conversions of values need
     * them.
     *
     * @see <a href="https://webidl.spec.whatwg.org/#dfn-flattened-union-member-types">flattened
     *     member types</a>
     */
    @Override
    public List<IdlType> flattenedMemberTypes() {
      Set<IdlType> flattened = new LinkedHashSet<>();
      for (IdlType member : members) {
        IdlType inner = member.nonNullable();
        if (inner.withoutAnnotations() instanceof UnionType union) {
          flattened.addAll(union.flattenedMemberTypes());
        } else {
          flattened.add(inner);
        }
      }
      return List.copyOf(flattened);
    }

    /**
     * Returns how many nullable types are among the members, at any depth.
     *
     * @see <a href="https://webidl.spec.whatwg.org/#dfn-number-of-nullable-member-types">number of
     *     nullable member types</a>
     */
    public int numberOfNullableMemberTypes() {
      int count = 0;
      for (IdlType member : members) {
        IdlType type = member.withoutAnnotations();
        if (type instanceof NullableType nullable) {
          count++;
          type = nullable.inner().withoutAnnotations();
        }
        if (type instanceof UnionType union) {
          count += union.numberOfNullableMemberTypes();
        }
      }
      return count;
    }
  }

  record SequenceType(IdlType element) implements IdlType {}

  record AsyncSequenceType(IdlType element) implements IdlType {}

  /**
   * A record type, {@code record<K, V>}.
   *
   * @param key the type of the keys, always a string type
   */
  record RecordType(StringType key, IdlType value) implements IdlType {}

  record FrozenArrayType(IdlType element) implements IdlType {}

  record ObservableArrayType(IdlType element) implements IdlType {}

  record PromiseType(IdlType result) implements IdlType {}

  /**
   * An <a href="https://webidl.spec.whatwg.org/#annotated-types">annotated type</a>, such as {@code
   * [Clamp] long}.
   *
   * @param attributes the extended attributes associated with the type; never empty
   */
  record AnnotatedType(ExtendedAttributes attributes, IdlType inner) implements IdlType {}

  /** The boolean type, the numeric types and {@code bigint}. */
  enum Primitive {
    BOOLEAN("boolean"),
    BYTE("byte"),
    OCTET("octet"),
    SHORT("short"),
    UNSIGNED_SHORT("unsigned short"),
    LONG("long"),
    UNSIGNED_LONG("unsigned long"),
    LONG_LONG("long long"),
    UNSIGNED_LONG_LONG("unsigned long long"),
    FLOAT("float"),
    UNRESTRICTED_FLOAT("unrestricted float"),
    DOUBLE("double"),
    UNRESTRICTED_DOUBLE("unrestricted double"),
    BIGINT("bigint");

    private final String idl;

    Primitive(String idl) {
      this.idl = idl;
    }

    public String toIdl() {
      return idl;
    }

    /**
     * Returns whether this is a <a href="https://webidl.spec.whatwg.org/#dfn-numeric-type">numeric
     * type</a>.
     */
    public boolean isNumeric() {
      return this != BOOLEAN && this != BIGINT;
    }
  }

  /** The string types of Web IDL. */
  enum Text {
    /** A string of 16-bit code units; lone surrogates are kept. */
    DOMSTRING("DOMString"),
    BYTESTRING("ByteString"),
    /** A string of Unicode scalar values; lone surrogates are replaced. */
    USVSTRING("USVString");

    private final String idl;

    Text(String idl) {
      this.idl = idl;
    }

    public String toIdl() {
      return idl;
    }
  }

  /** The buffer types and the view types. */
  enum Buffer {
    ARRAY_BUFFER("ArrayBuffer"),
    SHARED_ARRAY_BUFFER("SharedArrayBuffer"),
    DATA_VIEW("DataView"),
    INT8_ARRAY("Int8Array"),
    INT16_ARRAY("Int16Array"),
    INT32_ARRAY("Int32Array"),
    UINT8_ARRAY("Uint8Array"),
    UINT16_ARRAY("Uint16Array"),
    UINT32_ARRAY("Uint32Array"),
    UINT8_CLAMPED_ARRAY("Uint8ClampedArray"),
    BIGINT64_ARRAY("BigInt64Array"),
    BIGUINT64_ARRAY("BigUint64Array"),
    FLOAT16_ARRAY("Float16Array"),
    FLOAT32_ARRAY("Float32Array"),
    FLOAT64_ARRAY("Float64Array");

    private final String idl;

    Buffer(String idl) {
      this.idl = idl;
    }

    /** Returns the type as IDL text; also the name of the JavaScript constructor. */
    public String toIdl() {
      return idl;
    }
  }

  /** Returns the type without its outer annotations. */
  default IdlType withoutAnnotations() {
    IdlType type = this;
    while (type instanceof AnnotatedType annotated) {
      type = annotated.inner();
    }
    return type;
  }

  /**
   * Returns the outer extended attributes of the type. A resolved nullable type or union has none:
   * its inner type or members have them.
   */
  default ExtendedAttributes annotations() {
    return this instanceof AnnotatedType(ExtendedAttributes attributes, IdlType inner)
        ? attributes.and(inner.annotations())
        : ExtendedAttributes.NONE;
  }

  /**
   * Returns whether this is a <a href="https://webidl.spec.whatwg.org/#idl-promise">promise
   * type</a>.
   */
  default boolean isPromiseType() {
    return withoutAnnotations() instanceof PromiseType;
  }

  /**
   * Returns whether this is a <a href="https://webidl.spec.whatwg.org/#idl-nullable-type">nullable
   * type</a>.
   */
  default boolean isNullable() {
    return withoutAnnotations() instanceof NullableType;
  }

  /**
   * Returns the inner type of a nullable type, with the annotations of both; else the type itself.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-inner-type">inner type</a>
   */
  default IdlType nonNullable() {
    return withoutAnnotations() instanceof NullableType(IdlType inner)
        ? inner.annotatedWith(annotations())
        : this;
  }

  /**
   * Returns whether the type is nullable, or is a union with a nullable member at any depth.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-includes-a-nullable-type">includes a nullable
   *     type</a>
   */
  default boolean includesNullableType() {
    return switch (withoutAnnotations()) {
      case NullableType nullable -> true;
      case UnionType union -> union.numberOfNullableMemberTypes() == 1;
      default -> false;
    };
  }

  /**
   * Returns whether the type includes undefined.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-includes-undefined">includes undefined</a>
   */
  default boolean includesUndefined() {
    return switch (withoutAnnotations()) {
      case UndefinedType undefined -> true;
      case NullableType nullable -> nullable.inner().includesUndefined();
      case UnionType union -> union.members().stream().anyMatch(IdlType::includesUndefined);
      default -> false;
    };
  }

  /**
   * Returns the flattened member types of a union or nullable union; for any other type, a list of
   * that type alone, or of its inner type if it is nullable.
   */
  default List<IdlType> flattenedMemberTypes() {
    IdlType inner = nonNullable();
    return inner.withoutAnnotations() instanceof UnionType union
        ? union.flattenedMemberTypes()
        : List.of(inner);
  }

  /** Returns the type with added annotations, moved inwards through nullable and union types. */
  default IdlType annotatedWith(ExtendedAttributes attributes) {
    if (attributes.isEmpty()) {
      return this;
    }
    return switch (this) {
      case NullableType nullable -> new NullableType(nullable.inner().annotatedWith(attributes));
      case UnionType union -> {
        List<IdlType> members = new ArrayList<>();
        for (IdlType member : union.members()) {
          members.add(member.annotatedWith(attributes));
        }
        yield new UnionType(members);
      }
      case AnnotatedType annotated -> {
        ExtendedAttributes all = annotated.attributes().and(attributes);
        IdlType inner = annotated.inner();
        yield inner instanceof NullableType
                || inner instanceof UnionType
                || inner instanceof AnnotatedType
            ? inner.annotatedWith(all)
            : new AnnotatedType(all, inner);
      }
      default -> new AnnotatedType(attributes, this);
    };
  }

  /** Returns the type as IDL text, for messages; annotations appear by name only. */
  default String toIdl() {
    return switch (this) {
      case AnyType any -> "any";
      case UndefinedType undefined -> "undefined";
      case ObjectType object -> "object";
      case SymbolType symbol -> "symbol";
      case PrimitiveType primitive -> primitive.kind().toIdl();
      case StringType string -> string.kind().toIdl();
      case BufferType buffer -> buffer.kind().toIdl();
      case NamedType named -> named.name();
      case NullableType nullable -> nullable.inner().toIdl() + "?";
      case UnionType union ->
          union.members().stream()
              .map(IdlType::toIdl)
              .collect(Collectors.joining(" or ", "(", ")"));
      case SequenceType sequence -> "sequence<" + sequence.element().toIdl() + ">";
      case AsyncSequenceType sequence -> "async_sequence<" + sequence.element().toIdl() + ">";
      case RecordType r -> "record<" + r.key().toIdl() + ", " + r.value().toIdl() + ">";
      case FrozenArrayType array -> "FrozenArray<" + array.element().toIdl() + ">";
      case ObservableArrayType array -> "ObservableArray<" + array.element().toIdl() + ">";
      case PromiseType promise -> "Promise<" + promise.result().toIdl() + ">";
      case AnnotatedType annotated ->
          annotated.attributes().list().stream()
              .map(ExtendedAttribute::name)
              .collect(Collectors.joining(", ", "[", "] " + annotated.inner().toIdl()));
    };
  }
}
