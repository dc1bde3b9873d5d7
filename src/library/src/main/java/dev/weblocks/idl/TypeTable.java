package dev.weblocks.idl;

import dev.weblocks.idl.IdlType.AnnotatedType;
import dev.weblocks.idl.IdlType.AnyType;
import dev.weblocks.idl.IdlType.AsyncSequenceType;
import dev.weblocks.idl.IdlType.BufferType;
import dev.weblocks.idl.IdlType.FrozenArrayType;
import dev.weblocks.idl.IdlType.NamedType;
import dev.weblocks.idl.IdlType.NullableType;
import dev.weblocks.idl.IdlType.ObjectType;
import dev.weblocks.idl.IdlType.ObservableArrayType;
import dev.weblocks.idl.IdlType.PrimitiveType;
import dev.weblocks.idl.IdlType.PromiseType;
import dev.weblocks.idl.IdlType.RecordType;
import dev.weblocks.idl.IdlType.SequenceType;
import dev.weblocks.idl.IdlType.StringType;
import dev.weblocks.idl.IdlType.SymbolType;
import dev.weblocks.idl.IdlType.UndefinedType;
import dev.weblocks.idl.IdlType.UnionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of type definitions. Expands typedefs and decides which types are distinguishable. */
final class TypeTable {

  /** A limit, so that no chain of typedefs overflows the stack. The IDL of browsers needs three. */
  private static final int MAX_TYPEDEFS = 16;

  private final Map<String, Definition> definitions;

  /**
   * Creates a table.
   *
   * @param definitions every original (non-partial) definition by identifier, mixins and namespaces
   *     included; already checked for cycles and missing definitions in inheritance
   */
  TypeTable(Map<String, Definition> definitions) {
    this.definitions = Map.copyOf(definitions);
  }

  // Resolving

  /**
   * The context in which a type is resolved.
   *
   * @param position the position for an error message if the type itself has none
   * @param expanding the typedefs being expanded, outermost first
   */
  private record Context(SourcePosition position, List<String> expanding) {

    Context expanding(Definition.Typedef typedef) {
      List<String> names = new ArrayList<>(expanding);
      names.add(typedef.name());
      return new Context(typedef.position(), names);
    }
  }

  /**
   * Returns a type with typedefs expanded and annotations moved inwards.
   *
   * @param position place of the construct that has the type
   * @throws IdlModelException if a name is unknown or no type, a typedef refers to itself, or a
   *     nullable or union type breaks the rules of its kind
   */
  IdlType resolve(IdlType type, SourcePosition position) {
    return resolve(type, new Context(position, List.of()));
  }

  private IdlType resolve(IdlType type, Context context) {
    return switch (type) {
      case AnyType t -> t;
      case UndefinedType t -> t;
      case ObjectType t -> t;
      case SymbolType t -> t;
      case PrimitiveType t -> t;
      case StringType t -> t;
      case BufferType t -> t;
      case NamedType t -> resolveName(t, context);
      case NullableType t -> resolveNullable(t, context);
      case UnionType t -> resolveUnion(t, context);
      case SequenceType t -> new SequenceType(resolve(t.element(), context));
      case AsyncSequenceType t -> new AsyncSequenceType(resolve(t.element(), context));
      case RecordType t -> new RecordType(t.key(), resolve(t.value(), context));
      case FrozenArrayType t -> new FrozenArrayType(resolve(t.element(), context));
      case ObservableArrayType t -> new ObservableArrayType(resolve(t.element(), context));
      case PromiseType t -> new PromiseType(resolve(t.result(), context));
      case AnnotatedType t -> resolve(t.inner(), context).annotatedWith(t.attributes());
    };
  }

  private IdlType resolveName(NamedType type, Context context) {
    Definition definition = definitions.get(type.name());
    return switch (definition) {
      case null ->
          throw new IdlModelException(
              type.position(),
              "unknown type \""
                  + type.name()
                  + "\"; add the IDL text that defines it, or correct the name");
      case Definition.Typedef typedef -> {
        if (context.expanding().contains(typedef.name())) {
          throw new IdlModelException(
              typedef.position(), "the typedef \"" + typedef.name() + "\" refers to itself");
        }
        if (context.expanding().size() == MAX_TYPEDEFS) {
          throw new IdlModelException(
              typedef.position(),
              "the typedef \"%s\" is reached through %s others, which is too many"
                  .formatted(typedef.name(), MAX_TYPEDEFS));
        }
        yield resolve(typedef.type(), context.expanding(typedef));
      }
      case Definition.Mixin mixin -> throw noType(type, "an interface mixin");
      case Definition.Namespace namespace -> throw noType(type, "a namespace");
      default -> type;
    };
  }

  private static IdlModelException noType(NamedType type, String kind) {
    return new IdlModelException(
        type.position(), "\"" + type.name() + "\" is " + kind + ", which is not a type");
  }

  /** Resolves a nullable type by the rules of https://webidl.spec.whatwg.org/#idl-nullable-type. */
  private IdlType resolveNullable(NullableType type, Context context) {
    IdlType inner = resolve(type.inner(), context);
    IdlType bare = inner.withoutAnnotations();
    boolean allowed =
        switch (bare) {
          case AnyType t -> false;
          case PromiseType t -> false;
          case ObservableArrayType t -> false;
          case NullableType t -> false;
          case UnionType t -> !t.includesNullableType() && !flattensToDictionary(t);
          default -> true;
        };
    if (!allowed) {
      throw new IdlModelException(
          positionIn(type.inner(), context),
          "\"%s\", which is %s, must not be made nullable; drop the \"?\""
              .formatted(type.inner().toIdl(), inner.toIdl()));
    }
    return new NullableType(inner);
  }

  /** Resolves a union by the rules of https://webidl.spec.whatwg.org/#idl-union. */
  private IdlType resolveUnion(UnionType type, Context context) {
    List<IdlType> members = new ArrayList<>();
    for (IdlType member : type.members()) {
      members.add(resolve(member, context));
    }
    UnionType union = new UnionType(members);
    int nullable = union.numberOfNullableMemberTypes();
    if (nullable > 1 || (nullable == 1 && flattensToDictionary(union))) {
      throw new IdlModelException(
          positionIn(type, context),
          "the union " + type.toIdl() + " includes null more than once (dictionaries accept null)");
    }
    List<IdlType> flattened = union.flattenedMemberTypes();
    for (int a = 0; a < flattened.size(); a++) {
      for (int b = a + 1; b < flattened.size(); b++) {
        if (!distinguishable(flattened.get(a), flattened.get(b))) {
          throw new IdlModelException(
              positionIn(type, context),
              "the members %s and %s of the union %s are not distinguishable"
                  .formatted(flattened.get(a).toIdl(), flattened.get(b).toIdl(), type.toIdl()));
        }
      }
    }
    return union;
  }

  private static SourcePosition positionIn(IdlType type, Context context) {
    SourcePosition position = positionOrNull(type);
    return position == null ? context.position() : position;
  }

  /** Returns the first position of a name or extended attribute in a type, or null for none. */
  static @Nullable SourcePosition positionOrNull(IdlType type) {
    return switch (type) {
      case NamedType t -> t.position();
      case AnnotatedType t -> t.attributes().list().getFirst().position();
      case NullableType t -> positionOrNull(t.inner());
      case UnionType t -> {
        for (IdlType member : t.members()) {
          SourcePosition position = positionOrNull(member);
          if (position != null) {
            yield position;
          }
        }
        yield null;
      }
      case SequenceType t -> positionOrNull(t.element());
      case AsyncSequenceType t -> positionOrNull(t.element());
      case RecordType t -> positionOrNull(t.value());
      case FrozenArrayType t -> positionOrNull(t.element());
      case ObservableArrayType t -> positionOrNull(t.element());
      case PromiseType t -> positionOrNull(t.result());
      default -> null;
    };
  }

  Argument resolve(Argument argument) {
    return argument.withType(resolve(argument.type(), argument.position()));
  }

  List<Argument> resolveArguments(List<Argument> arguments) {
    return arguments.stream().map(this::resolve).toList();
  }

  private @Nullable IdlType resolveIfPresent(@Nullable IdlType type, SourcePosition position) {
    return type == null ? null : resolve(type, position);
  }

  Member resolve(Member member) {
    return switch (member) {
      case Member.Constant m ->
          new Member.Constant(
              m.name(),
              resolve(m.type(), m.position()),
              m.value(),
              m.extendedAttributes(),
              m.position());
      case Member.Attribute m ->
          new Member.Attribute(
              m.name(),
              resolve(m.type(), m.position()),
              m.readOnly(),
              m.isStatic(),
              m.inherit(),
              m.stringifier(),
              m.extendedAttributes(),
              m.position());
      case Member.Operation m ->
          new Member.Operation(
              m.name(),
              resolve(m.returnType(), m.position()),
              resolveArguments(m.arguments()),
              m.isStatic(),
              m.special(),
              m.extendedAttributes(),
              m.position());
      case Member.Stringifier m -> m;
      case Member.Constructor m ->
          new Member.Constructor(
              resolveArguments(m.arguments()), m.extendedAttributes(), m.position());
      case Member.IterableDeclaration m ->
          new Member.IterableDeclaration(
              resolveIfPresent(m.keyType(), m.position()),
              resolve(m.valueType(), m.position()),
              m.extendedAttributes(),
              m.position());
      case Member.AsyncIterableDeclaration m ->
          new Member.AsyncIterableDeclaration(
              resolveIfPresent(m.keyType(), m.position()),
              resolve(m.valueType(), m.position()),
              resolveArguments(m.arguments()),
              m.extendedAttributes(),
              m.position());
      case Member.MaplikeDeclaration m ->
          new Member.MaplikeDeclaration(
              resolve(m.keyType(), m.position()),
              resolve(m.valueType(), m.position()),
              m.readOnly(),
              m.extendedAttributes(),
              m.position());
      case Member.SetlikeDeclaration m ->
          new Member.SetlikeDeclaration(
              resolve(m.valueType(), m.position()),
              m.readOnly(),
              m.extendedAttributes(),
              m.position());
    };
  }

  // Distinguishing

  /** The categories of types: the rows and columns of the table of distinguishable types. */
  private enum Category {
    UNDEFINED,
    BOOLEAN,
    NUMERIC,
    BIGINT,
    STRING,
    OBJECT,
    SYMBOL,
    INTERFACE_LIKE,
    CALLBACK_FUNCTION,
    DICTIONARY_LIKE,
    ASYNC_SEQUENCE,
    SEQUENCE_LIKE
  }

  /**
   * Returns whether a value alone shows to which of two resolved types it belongs.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-distinguishable">distinguishable</a>
   */
  boolean distinguishable(IdlType one, IdlType other) {
    // 1. Null must not fit both.
    if ((one.includesNullableType() && takesNull(other))
        || (other.includesNullableType() && takesNull(one))) {
      return false;
    }
    IdlType a = one.nonNullable().withoutAnnotations();
    IdlType b = other.nonNullable().withoutAnnotations();
    // 2 and 3. Each member of a union, with each of the other if that is a union, too.
    if (a instanceof UnionType union) {
      return union.members().stream().allMatch(member -> distinguishable(member, b));
    }
    if (b instanceof UnionType union) {
      return union.members().stream().allMatch(member -> distinguishable(a, member));
    }
    // 4. The table, which is symmetric: first category at or before the second.
    Category first = category(a);
    Category second = category(b);
    if (first == null || second == null) {
      return false;
    }
    return first.compareTo(second) <= 0 ? marked(first, a, second, b) : marked(second, b, first, a);
  }

  private boolean takesNull(IdlType type) {
    return type.includesNullableType() || flattensToDictionary(type);
  }

  private boolean flattensToDictionary(IdlType type) {
    IdlType bare = type.withoutAnnotations();
    List<IdlType> types =
        bare instanceof UnionType union ? union.flattenedMemberTypes() : List.of(bare);
    return types.stream().anyMatch(this::isDictionary);
  }

  private boolean marked(Category first, IdlType a, Category second, IdlType b) {
    return switch (first) {
      case UNDEFINED -> second != Category.UNDEFINED && second != Category.DICTIONARY_LIKE;
      case OBJECT -> second == Category.SYMBOL;
      case INTERFACE_LIKE -> second != Category.INTERFACE_LIKE || noObjectIsBoth(a, b); // (a)
      case CALLBACK_FUNCTION ->
          second == Category.DICTIONARY_LIKE
              ? !treatsNonObjectAsNull(a) // (c)
              : second != Category.CALLBACK_FUNCTION;
      case DICTIONARY_LIKE -> second != Category.DICTIONARY_LIKE;
      case ASYNC_SEQUENCE, SEQUENCE_LIKE -> false;
      // (b) and (d) restrict the use of such types, not whether they are distinguishable.
      case BOOLEAN, NUMERIC, BIGINT, STRING, SYMBOL -> second != first;
    };
  }

  private @Nullable Category category(IdlType type) {
    return switch (type) {
      case UndefinedType t -> Category.UNDEFINED;
      case PrimitiveType t ->
          switch (t.kind()) {
            case BOOLEAN -> Category.BOOLEAN;
            case BIGINT -> Category.BIGINT;
            default -> Category.NUMERIC;
          };
      case StringType t -> Category.STRING;
      case ObjectType t -> Category.OBJECT;
      case SymbolType t -> Category.SYMBOL;
      case BufferType t -> Category.INTERFACE_LIKE;
      case RecordType t -> Category.DICTIONARY_LIKE;
      case AsyncSequenceType t -> Category.ASYNC_SEQUENCE;
      case SequenceType t -> Category.SEQUENCE_LIKE;
      case FrozenArrayType t -> Category.SEQUENCE_LIKE;
      case NamedType t ->
          switch (definitions.get(t.name())) {
            case Definition.Interface d -> Category.INTERFACE_LIKE;
            case Definition.Dictionary d -> Category.DICTIONARY_LIKE;
            case Definition.CallbackInterface d -> Category.DICTIONARY_LIKE;
            case Definition.CallbackFunction d -> Category.CALLBACK_FUNCTION;
            case Definition.Enumeration d -> Category.STRING;
            case null -> null;
            default -> null;
          };
      default -> null;
    };
  }

  /**
   * Returns whether requirement (a) of distinguishable types holds: the types differ, and neither
   * interface inherits from the other.
   */
  private boolean noObjectIsBoth(IdlType a, IdlType b) {
    if (a instanceof NamedType one && b instanceof NamedType other) {
      return !isOrInheritsFrom(one.name(), other.name())
          && !isOrInheritsFrom(other.name(), one.name());
    }
    return !a.equals(b);
  }

  private boolean isOrInheritsFrom(String name, String ancestor) {
    String current = name;
    while (current != null && !current.equals(ancestor)) {
      current =
          definitions.get(current) instanceof Definition.Interface parent
              ? parent.inherits()
              : null;
    }
    return current != null;
  }

  private boolean treatsNonObjectAsNull(IdlType type) {
    return type instanceof NamedType named
        && definitions.get(named.name()) instanceof Definition.CallbackFunction callback
        && callback.extendedAttributes().has("LegacyTreatNonObjectAsNull");
  }

  boolean isDictionary(IdlType type) {
    return type.withoutAnnotations() instanceof NamedType named
        && definitions.get(named.name()) instanceof Definition.Dictionary;
  }

  Definition.@Nullable Enumeration enumeration(IdlType type) {
    return type.nonNullable().withoutAnnotations() instanceof NamedType named
            && definitions.get(named.name()) instanceof Definition.Enumeration enumeration
        ? enumeration
        : null;
  }

  static boolean isBigint(IdlType type) {
    return type.nonNullable().withoutAnnotations() instanceof PrimitiveType primitive
        && primitive.kind() == IdlType.Primitive.BIGINT;
  }

  static boolean isNumeric(IdlType type) {
    return type.nonNullable().withoutAnnotations() instanceof PrimitiveType primitive
        && primitive.kind().isNumeric();
  }
}
