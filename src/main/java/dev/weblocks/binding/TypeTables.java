package dev.weblocks.binding;

import dev.weblocks.binding.JsLiteral.Raw;
import dev.weblocks.idl.Argument;
import dev.weblocks.idl.Definition;
import dev.weblocks.idl.DictionaryMember;
import dev.weblocks.idl.EffectiveOverloadSet;
import dev.weblocks.idl.ExtendedAttribute;
import dev.weblocks.idl.ExtendedAttributes;
import dev.weblocks.idl.IdlLiteral;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.Member.Attribute;
import dev.weblocks.idl.Member.Constant;
import dev.weblocks.idl.Member.Constructor;
import dev.weblocks.idl.Member.Operation;
import dev.weblocks.idl.Member.Special;
import dev.weblocks.idl.MergedCallbackInterface;
import dev.weblocks.idl.MergedDictionary;
import dev.weblocks.idl.MergedInterface;
import dev.weblocks.idl.MergedMember;
import dev.weblocks.idl.MergedNamespace;
import dev.weblocks.idl.OperationGroup;
import dev.weblocks.idl.Overloads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the model as the tables that the prelude interprets: what is exposed in one kind of
 * global. The shape of a table entry is what the methods below put into their maps.
 */
final class TypeTables {

  private final IdlModel model;
  private final Map<String, Integer> interfaceIds;
  private final MemberTable members;
  private final Predicate<MergedInterface> exposedInterface;
  private final Predicate<MergedMember> exposedMember;
  private final Predicate<MergedNamespace> exposedNamespace;
  private final Map<String, Object> dictionaries = new LinkedHashMap<>();
  private final Map<String, Object> enums = new LinkedHashMap<>();

  TypeTables(
      IdlModel model,
      Map<String, Integer> interfaceIds,
      MemberTable members,
      Predicate<MergedInterface> exposedInterface,
      Predicate<MergedMember> exposedMember,
      Predicate<MergedNamespace> exposedNamespace) {
    this.model = model;
    this.interfaceIds = interfaceIds;
    this.members = members;
    this.exposedInterface = exposedInterface;
    this.exposedMember = exposedMember;
    this.exposedNamespace = exposedNamespace;
  }

  /**
   * A JavaScript function that returns the tables.
   *
   * @param internals numbers of callables that the prelude knows by name
   */
  String write(Map<String, Integer> internals) {
    List<Object> interfaces = new ArrayList<>();
    for (MergedInterface each : model.interfaces()) {
      if (exposedInterface.test(each)) {
        interfaces.add(interfaceTable(each));
      }
    }
    List<Object> namespaces = new ArrayList<>();
    for (MergedNamespace each : model.namespaces()) {
      for (MergedMember merged : each.members()) {
        if (!(merged.member() instanceof Operation)) {
          throw unsupported(each.name(), kindOf(merged));
        }
      }
      if (exposedNamespace.test(each)) {
        namespaces.add(
            map(
                "name", each.name(),
                "operations", operations(each.name(), each.operations(), each.members(), true)));
      }
    }
    for (MergedDictionary each : model.dictionaries()) {
      dictionaries.put(each.name(), dictionary(each));
    }
    Map<String, Object> tables = map("interfaces", interfaces, "namespaces", namespaces);
    tables.put("dictionaries", dictionaries);
    tables.put("enums", enums);
    tables.put("emptyList", new Raw("emptyList"));
    tables.put("emptyDictionary", new Raw("emptyDictionary"));
    tables.putAll(internals);
    return "(function () { const emptyList = {}, emptyDictionary = {}; return "
        + JsLiteral.of(tables)
        + "; })";
  }

  private static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }

  private Map<String, Object> interfaceTable(MergedInterface from) {
    List<Object> attributes = new ArrayList<>();
    List<Object> consts = new ArrayList<>();
    List<OperationGroup> groups = new ArrayList<>(from.operations());
    Raw indexed = new Raw("null");
    for (MergedMember merged : from.members()) {
      if (!exposedMember.test(merged)) {
        continue;
      }
      switch (merged.member()) {
        case Attribute attribute -> {
          attributes.add(attribute(from.name(), merged, attribute));
          if (attribute.stringifier()) {
            stringifiers.add(from.name());
          }
        }
        case Constant constant -> consts.add(List.of(constant.name(), literal(constant.value())));
        case Operation operation -> {
          if (operation.special() == Special.GETTER && operation.name() != null) {
            indexed = indexed(from, merged, operation);
          } else if (operation.special() != Special.NONE) {
            throw unsupported(from.name(), "special operation " + operation.special());
          }
        }
        case Constructor constructor -> {}
        default -> throw unsupported(from.name(), kindOf(merged));
      }
    }
    List<Object> operations = operations(from.name(), groups, from.members(), false);
    if (stringifiers.remove(from.name())) {
      operations.add(stringifier(from));
    }
    MergedInterface parent = from.parent();
    List<Integer> chain = new ArrayList<>();
    from.inheritedInterfaces().reversed().forEach(each -> chain.add(id(each.name())));
    chain.add(id(from.name()));
    Map<String, Object> table =
        map(
            "id",
            id(from.name()),
            "name",
            from.name(),
            "parent",
            parent == null ? -1 : id(parent.name()),
            "chain",
            chain);
    table.put("global", from.extendedAttributes().has("Global"));
    table.put("hidden", from.extendedAttributes().has("LegacyNoInterfaceObject"));
    table.put("error", from.name().equals("DOMException"));
    table.put("aliases", aliases(from));
    table.put("indexed", indexed);
    table.put(
        "ctor",
        from.constructors().isEmpty()
            ? new Raw("null")
            : overloads(
                from.name(), "constructor", null, from.constructors(), Constructor::arguments));
    table.put("consts", consts);
    table.put("attributes", attributes);
    table.put("operations", operations);
    return table;
  }

  private final List<String> stringifiers = new ArrayList<>();

  private static List<String> aliases(MergedInterface from) {
    ExtendedAttribute alias = from.extendedAttributes().get("LegacyWindowAlias");
    return alias == null ? List.of() : alias.identifiers();
  }

  private static String kindOf(MergedMember merged) {
    return merged.member().getClass().getSimpleName();
  }

  private static IllegalStateException unsupported(String owner, String what) {
    return new IllegalStateException(
        "the binding has no support for the " + what + " of " + owner + " yet");
  }

  private int id(String interfaceName) {
    Integer id = interfaceIds.get(interfaceName);
    if (id == null) {
      throw new IllegalStateException("interface " + interfaceName + " has no number");
    }
    return id;
  }

  private Map<String, Object> attribute(String owner, MergedMember merged, Attribute attribute) {
    ExtendedAttributes extended = attribute.extendedAttributes();
    String name = attribute.name();
    String prefix = attribute.isStatic() ? "static " : "";
    Map<String, Object> table =
        map(
            "name",
            name,
            "get",
            members.idOf(owner, prefix + "get " + name, merged, 0, List.of()),
            "set",
            attribute.readOnly()
                ? -1
                : members.idOf(
                    owner, prefix + "set " + name, merged, 0, List.of(valueOf(attribute))),
            "type",
            type(attribute.type()));
    table.put("static", attribute.isStatic());
    table.put("promise", model.resolve(attribute.type()).isPromiseType());
    table.put("unforgeable", extended.has("LegacyUnforgeable"));
    table.put("replaceable", extended.has("Replaceable"));
    ExtendedAttribute putForwards = extended.get("PutForwards");
    if (putForwards != null) {
      table.put("putForwards", putForwards.identifiers().getFirst());
    }
    return table;
  }

  /** The argument that the setter of an attribute has. */
  private static Argument valueOf(Attribute attribute) {
    return new Argument(
        "value",
        attribute.type(),
        false,
        false,
        null,
        ExtendedAttributes.NONE,
        attribute.position());
  }

  private List<Object> operations(
      String owner, List<OperationGroup> groups, List<MergedMember> all, boolean namespace) {
    List<Object> operations = new ArrayList<>();
    for (OperationGroup group : groups) {
      MergedMember merged = memberOf(group, all);
      if (merged == null || !exposedMember.test(merged)) {
        continue;
      }
      boolean isStatic = group.isStatic() || namespace;
      Operation first = group.operations().getFirst();
      String returns =
          group.returnsPromise()
              ? "promise"
              : model.resolve(first.returnType()).withoutAnnotations()
                      instanceof IdlType.UndefinedType
                  ? "undefined"
                  : "value";
      Map<String, Object> table = map("name", group.name(), "static", isStatic, "returns", returns);
      table.put("unforgeable", first.extendedAttributes().has("LegacyUnforgeable"));
      table.put(
          "overloads",
          overloads(
              owner,
              (isStatic ? "static " : "call ") + group.name(),
              merged,
              group.overloads(),
              Operation::arguments));
      operations.add(table);
    }
    return operations;
  }

  private static @Nullable MergedMember memberOf(OperationGroup group, List<MergedMember> all) {
    Operation first = group.operations().getFirst();
    for (MergedMember each : all) {
      if (each.member() instanceof Operation operation
          && group.name().equals(operation.name())
          && operation.isStatic() == first.isStatic()) {
        return each;
      }
    }
    return null;
  }

  private Map<String, Object> stringifier(MergedInterface from) {
    int id = members.idOf(from.name(), "call toString", null, 0, List.of());
    Map<String, Object> none =
        map("list", List.of(map("id", id, "args", List.of())), "length", 0, "max", 0);
    none.put("byCount", List.of(map("at", -1, "of", List.of(0))));
    return map(
        "name",
        "toString",
        "static",
        false,
        "returns",
        "value",
        "unforgeable",
        from.attribute("href") != null && isUnforgeable(from),
        "overloads",
        none);
  }

  /** A stringifier attribute that is unforgeable makes toString so, too. */
  private static boolean isUnforgeable(MergedInterface from) {
    for (MergedMember merged : from.members()) {
      if (merged.member() instanceof Attribute attribute && attribute.stringifier()) {
        return attribute.extendedAttributes().has("LegacyUnforgeable");
      }
    }
    return false;
  }

  private Raw indexed(MergedInterface from, MergedMember merged, Operation getter) {
    MergedMember length = from.attribute("length");
    if (length == null) {
      throw unsupported(from.name(), "indexed getter without length");
    }
    return new Raw(
        JsLiteral.of(
            map(
                "lengthOf", members.idOf(from.name(), "get length", length, 0, List.of()),
                "itemOf",
                    members.idOf(
                        from.name(), "call " + getter.name(), merged, 0, getter.arguments()))));
  }

  private <C> Map<String, Object> overloads(
      String owner,
      String key,
      @Nullable MergedMember merged,
      Overloads<C> overloads,
      Function<C, List<Argument>> argumentsOf) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < overloads.callables().size(); i++) {
      List<Argument> arguments = argumentsOf.apply(overloads.callables().get(i));
      list.add(
          map(
              "id", members.idOf(owner, key, merged, i, arguments),
              "args", arguments.stream().map(this::argument).toList()));
    }
    // beyond the longest declaration only variadic overloads remain
    int max = overloads.declaredMaxArgumentCount() + (overloads.isVariadic() ? 1 : 0);
    EffectiveOverloadSet set = overloads.effectiveOverloadSet(max);
    List<Object> byCount = new ArrayList<>();
    for (int count = 0; count <= max; count++) {
      List<Integer> of =
          set.withArgumentCount(count).stream().map(EffectiveOverloadSet.Item::callable).toList();
      byCount.add(
          map("at", of.size() > 1 ? overloads.distinguishingArgumentIndex(count) : -1, "of", of));
    }
    return map("list", list, "length", overloads.length(), "max", max, "byCount", byCount);
  }

  private Map<String, Object> argument(Argument argument) {
    Map<String, Object> table =
        map(
            "name", argument.name(),
            "type", type(argument.type()),
            "optional", argument.optional(),
            "variadic", argument.variadic());
    IdlLiteral value = argument.defaultValue();
    if (value != null) {
      table.put("default", literal(value));
    }
    return table;
  }

  private Object dictionary(MergedDictionary from) {
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

  private static Object literal(IdlLiteral literal) {
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

  /** A type as the prelude compiles it. */
  private Map<String, Object> type(IdlType unresolved) {
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
      case IdlType.BufferType buffer -> map("k", "buffer", "n", buffer.kind().toIdl());
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
          throw new IllegalStateException("annotations were taken off");
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

  /** A nullable legacy callback takes everything: what is no object becomes null. */
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
        Map<String, Object> values = new LinkedHashMap<>();
        enumeration.values().forEach(value -> values.put(value, true));
        enums.put(name, values);
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
}
