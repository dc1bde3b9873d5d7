package dev.weblocks.binding;

import dev.weblocks.binding.JsLiteral.Raw;
import dev.weblocks.idl.Argument;
import dev.weblocks.idl.Definition;
import dev.weblocks.idl.DictionaryMember;
import dev.weblocks.idl.ExtendedAttributes;
import dev.weblocks.idl.IdlLiteral;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.MergedCallbackInterface;
import dev.weblocks.idl.MergedDictionary;
import dev.weblocks.idl.MergedInterface;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the prelude's tables of types, dictionaries and literals. Each table is a map,
 * which the prelude reads as an object.
 */
final class TypeTables {

  private final IdlModel model;
  private final Map<String, Integer> interfaceIds;
  private final Map<String, Object> enums = new LinkedHashMap<>();

  TypeTables(IdlModel model, Map<String, Integer> interfaceIds) {
    this.model = model;
    this.interfaceIds = interfaceIds;
  }

  /** Returns the enumerations that the types written so far refer to, by name. */
  Map<String, Object> enums() {
    return enums;
  }

  static Map<String, Object> map(@Nullable Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }

  int id(String interfaceName) {
    Integer id = interfaceIds.get(interfaceName);
    if (id == null) {
      throw new IllegalStateException("interface " + interfaceName + " has no id");
    }
    return id;
  }

  /** Returns the table of a type, which the prelude compiles. */
  Map<String, Object> type(IdlType unresolved) {
    IdlType resolved = model.resolve(unresolved);
    ExtendedAttributes annotations = resolved.annotations();
    return switch (resolved.withoutAnnotations()) {
      case IdlType.AnyType any -> simple("any");
      case IdlType.UndefinedType undefined -> simple("undefined");
      case IdlType.ObjectType object -> simple("object");
      case IdlType.SymbolType symbol -> simple("symbol");
      case IdlType.PrimitiveType primitive ->
          annotated(simple(primitive.kind().toIdl()), annotations);
      case IdlType.StringType string -> annotated(simple(string.kind().toIdl()), annotations);
      case IdlType.BufferType buffer ->
          map(
              "k", "buffer",
              "n", buffer.kind().toIdl(),
              "shared", annotations.has("AllowShared"),
              "resizable", annotations.has("AllowResizable"));
      case IdlType.NullableType nullable -> nullable(nullable);
      case IdlType.UnionType union ->
          map(
              "k", "union",
              "nullable", union.includesNullableType(),
              "types", union.flattenedMemberTypes().stream().map(this::type).toList());
      case IdlType.SequenceType sequence -> map("k", "sequence", "t", type(sequence.element()));
      case IdlType.FrozenArrayType array -> map("k", "sequence", "t", type(array.element()));
      case IdlType.RecordType entries ->
          map("k", "record", "key", type(entries.key()), "t", type(entries.value()));
      case IdlType.PromiseType promise -> map("k", "promise", "t", type(promise.result()));
      case IdlType.NamedType named -> named(named);
      case IdlType.AsyncSequenceType s -> throw unsupported(s.toIdl(), "async_sequence type");
      case IdlType.ObservableArrayType a -> throw unsupported(a.toIdl(), "ObservableArray type");
      case IdlType.AnnotatedType never ->
          throw new IllegalStateException("an annotated type was not resolved");
    };
  }

  private static Map<String, Object> simple(String name) {
    return map("k", "simple", "n", name);
  }

  private static Map<String, Object> annotated(
      Map<String, Object> type, ExtendedAttributes annotations) {
    for (String mode : List.of("Clamp", "EnforceRange", "LegacyNullToEmptyString")) {
      if (annotations.has(mode)) {
        type.put("mode", mode);
      }
    }
    return type;
  }

  /**
   * Returns the table of a nullable type. A [LegacyTreatNonObjectAsNull] callback accepts any
   * value: one that is not an object becomes null.
   */
  private Map<String, Object> nullable(IdlType.NullableType nullable) {
    Map<String, Object> inner = type(nullable.inner());
    return Boolean.TRUE.equals(inner.get("legacy")) ? inner : map("k", "nullable", "t", inner);
  }

  private Map<String, Object> named(IdlType.NamedType named) {
    String name = named.name();
    return switch (model.definition(named)) {
      case MergedInterface target ->
          map(
              "k",
              "interface",
              "n",
              name,
              "id",
              id(name),
              "depth",
              target.inheritedInterfaces().size());
      case MergedDictionary dictionary -> map("k", "dictionary", "n", name);
      case MergedCallbackInterface callback -> map("k", "callbackInterface", "n", name);
      case Definition.Enumeration enumeration -> {
        enumeration(enumeration);
        yield map("k", "enum", "n", name);
      }
      case Definition.CallbackFunction callback ->
          map(
              "k",
              "callback",
              "n",
              name,
              "legacy",
              callback.extendedAttributes().has("LegacyTreatNonObjectAsNull"));
    };
  }

  /** Adds an enumeration to {@link #enums}. */
  void enumeration(Definition.Enumeration from) {
    Map<String, Object> values = new LinkedHashMap<>();
    from.values().forEach(value -> values.put(value, true));
    enums.put(from.name(), values);
  }

  Object dictionary(MergedDictionary from) {
    List<Object> list = new ArrayList<>();
    for (MergedDictionary owner = from; owner != null; owner = owner.parent()) {
      List<Object> own = new ArrayList<>();
      for (DictionaryMember member : owner.ownMembers()) {
        Map<String, Object> table =
            map(
                "name", member.name(),
                "owner", owner.name(),
                "type", type(member.type()),
                "required", member.required());
        IdlLiteral value = member.defaultValue();
        if (value != null) {
          table.put("default", literal(value));
        }
        own.add(table);
      }
      list.addAll(0, own);
    }
    return list;
  }

  static Object literal(IdlLiteral literal) {
    return switch (literal) {
      case IdlLiteral.BooleanLiteral bool -> bool.value();
      case IdlLiteral.IntegerLiteral integer -> integer.value();
      case IdlLiteral.DecimalLiteral decimal -> new Raw(decimal.text());
      case IdlLiteral.StringLiteral string -> string.value();
      case IdlLiteral.NullLiteral nothing -> new Raw("null");
      case IdlLiteral.UndefinedLiteral undefined -> new Raw("undefined");
      case IdlLiteral.EmptySequenceLiteral empty -> new Raw("emptyList");
      case IdlLiteral.EmptyDictionaryLiteral empty -> new Raw("emptyDictionary");
    };
  }

  /**
   * Returns whether a type is one of the <a
   * href="https://webidl.spec.whatwg.org/#dfn-json-types">JSON types</a>.
   */
  boolean isJsonType(IdlType unresolved) {
    return switch (model.resolve(unresolved).withoutAnnotations()) {
      case IdlType.PrimitiveType primitive -> primitive.kind() != IdlType.Primitive.BIGINT;
      case IdlType.StringType string -> true;
      case IdlType.ObjectType object -> true;
      case IdlType.NullableType nullable -> isJsonType(nullable.inner());
      case IdlType.UnionType union ->
          union.flattenedMemberTypes().stream().allMatch(this::isJsonType);
      case IdlType.SequenceType sequence -> isJsonType(sequence.element());
      case IdlType.FrozenArrayType array -> isJsonType(array.element());
      case IdlType.RecordType entries -> isJsonType(entries.value());
      case IdlType.NamedType named ->
          switch (model.definition(named)) {
            case Definition.Enumeration enumeration -> true;
            case MergedDictionary dictionary ->
                dictionary.allMembers().stream().allMatch(member -> isJsonType(member.type()));
            case MergedInterface target -> hasToJson(target);
            default -> false;
          };
      default -> false;
    };
  }

  private static boolean hasToJson(MergedInterface target) {
    for (MergedInterface at = target; at != null; at = at.parent()) {
      if (at.operation("toJSON", false) != null) {
        return true;
      }
    }
    return false;
  }

  boolean isIndex(Argument key) {
    return model.resolve(key.type()).withoutAnnotations() instanceof IdlType.PrimitiveType;
  }

  static IllegalStateException unsupported(String owner, String what) {
    return new IllegalStateException(
        "the binding has no support for the " + what + " of " + owner + " yet");
  }
}
