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
import dev.weblocks.idl.LegacyFactoryFunction;
import dev.weblocks.idl.Member.AsyncIterableDeclaration;
import dev.weblocks.idl.Member.Attribute;
import dev.weblocks.idl.Member.Constant;
import dev.weblocks.idl.Member.Constructor;
import dev.weblocks.idl.Member.IterableDeclaration;
import dev.weblocks.idl.Member.MaplikeDeclaration;
import dev.weblocks.idl.Member.Operation;
import dev.weblocks.idl.Member.SetlikeDeclaration;
import dev.weblocks.idl.Member.Special;
import dev.weblocks.idl.Member.Stringifier;
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
  private final Predicate<MergedCallbackInterface> exposedCallbackInterface;
  private final Map<String, Object> dictionaries = new LinkedHashMap<>();
  private final Map<String, Object> enums = new LinkedHashMap<>();

  TypeTables(
      IdlModel model,
      Map<String, Integer> interfaceIds,
      MemberTable members,
      Predicate<MergedInterface> exposedInterface,
      Predicate<MergedMember> exposedMember,
      Predicate<MergedNamespace> exposedNamespace,
      Predicate<MergedCallbackInterface> exposedCallbackInterface) {
    this.model = model;
    this.interfaceIds = interfaceIds;
    this.members = members;
    this.exposedInterface = exposedInterface;
    this.exposedMember = exposedMember;
    this.exposedNamespace = exposedNamespace;
    this.exposedCallbackInterface = exposedCallbackInterface;
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
      if (exposedNamespace.test(each)) {
        namespaces.add(namespaceTable(each));
      }
    }
    List<Object> callbackInterfaces = new ArrayList<>();
    for (MergedCallbackInterface each : model.callbackInterfaces()) {
      if (!each.constants().isEmpty() && exposedCallbackInterface.test(each)) {
        callbackInterfaces.add(map("name", each.name(), "consts", constants(each.constants())));
      }
    }
    for (MergedDictionary each : model.dictionaries()) {
      dictionaries.put(each.name(), dictionary(each));
    }
    Map<String, Object> tables = map("interfaces", interfaces, "namespaces", namespaces);
    tables.put("callbackInterfaces", callbackInterfaces);
    tables.put("dictionaries", dictionaries);
    tables.put("enums", enums);
    tables.put("emptyList", new Raw("emptyList"));
    tables.put("emptyDictionary", new Raw("emptyDictionary"));
    tables.putAll(internals);
    return "(function () { const emptyList = {}, emptyDictionary = {}; return "
        + JsLiteral.of(tables)
        + "; })";
  }

  private static Map<String, Object> map(@Nullable Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }

  private Map<String, Object> interfaceTable(MergedInterface from) {
    List<Object> attributes = new ArrayList<>();
    List<OperationGroup> groups = new ArrayList<>(from.operations());
    Iteration iteration = Iteration.NONE;
    boolean stringifier = false;
    List<MergedMember> exposed = from.members().stream().filter(exposedMember).toList();
    for (MergedMember merged : exposed) {
      switch (merged.member()) {
        case Attribute attribute -> {
          attributes.add(attribute(from.name(), merged, attribute));
          stringifier |= attribute.stringifier();
        }
        case Stringifier alone -> stringifier = true;
        case Constant constant -> {}
        case Operation operation -> {}
        case Constructor constructor -> {}
        case IterableDeclaration iterable -> iteration = iterable(from, merged, iterable);
        case MaplikeDeclaration maplike ->
            iteration =
                new Iteration(
                    false,
                    -1,
                    map(
                        "key", type(maplike.keyType()),
                        "value", type(maplike.valueType()),
                        "readOnly", maplike.readOnly(),
                        "own", regularNames(groups)),
                    null);
        case SetlikeDeclaration setlike ->
            iteration =
                new Iteration(
                    false,
                    -1,
                    null,
                    map(
                        "value", type(setlike.valueType()),
                        "readOnly", setlike.readOnly(),
                        "own", regularNames(groups)));
        case AsyncIterableDeclaration async -> throw unsupported(from.name(), kindOf(merged));
      }
    }
    OperationGroup defaultToJson = defaultToJson(groups);
    groups.remove(defaultToJson);
    List<Object> operations = operations(from.name(), groups, from.members(), false);
    if (stringifier) {
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
    table.put("globalChain", isInGlobalChain(from));
    table.put("hidden", from.extendedAttributes().has("LegacyNoInterfaceObject"));
    table.put("error", from.name().equals("DOMException"));
    table.put("aliases", aliases(from));
    table.put("legacy", legacy(from, exposed));
    table.put("valueIterator", iteration.values());
    table.put("pairs", iteration.pairs());
    table.put("maplike", iteration.maplike());
    table.put("setlike", iteration.setlike());
    table.put("toJSON", defaultToJson == null ? null : jsonAttributes(from));
    table.put("unscopables", unscopables(exposed));
    table.put(
        "factories",
        from.legacyFactoryFunctions().stream().map(each -> factory(from, each)).toList());
    table.put(
        "ctor",
        from.constructors().isEmpty()
            ? new Raw("null")
            : overloads(
                from.name(), "constructor", null, from.constructors(), Constructor::arguments));
    table.put("consts", constants(exposed));
    table.put("attributes", attributes);
    table.put("operations", operations);
    return table;
  }

  /** What an interface declares about iteration; maplike and setlike as tables. */
  private record Iteration(
      boolean values,
      int pairs,
      @Nullable Map<String, Object> maplike,
      @Nullable Map<String, Object> setlike) {
    static final Iteration NONE = new Iteration(false, -1, null, null);
  }

  private Iteration iterable(
      MergedInterface from, MergedMember merged, IterableDeclaration iterable) {
    return iterable.keyType() == null
        ? new Iteration(true, -1, null, null)
        : new Iteration(
            false, members.idOf(from.name(), "pairs", merged, 0, List.of()), null, null);
  }

  /** The operations of a maplike or setlike interface that the IDL states itself. */
  private static List<String> regularNames(List<OperationGroup> groups) {
    return groups.stream().filter(each -> !each.isStatic()).map(OperationGroup::name).toList();
  }

  private static @Nullable OperationGroup defaultToJson(List<OperationGroup> groups) {
    for (OperationGroup group : groups) {
      if (group.operations().getFirst().extendedAttributes().has("Default")) {
        return group;
      }
    }
    return null;
  }

  /** Attributes that the default toJSON collects, those of the ancestors first. */
  private List<Object> jsonAttributes(MergedInterface from) {
    List<MergedInterface> chain = new ArrayList<>(from.inheritedInterfaces().reversed());
    chain.add(from);
    Map<String, Object> byName = new LinkedHashMap<>();
    for (MergedInterface owner : chain) {
      if (defaultToJson(owner.operations()) == null) {
        continue;
      }
      for (MergedMember merged : owner.members()) {
        if (exposedMember.test(merged)
            && merged.member() instanceof Attribute attribute
            && !attribute.isStatic()
            && isJsonType(attribute.type())) {
          String name = attribute.name();
          int get = members.idOf(owner.name(), "get " + name, merged, 0, List.of());
          byName.put(name, map("name", name, "get", get));
        }
      }
    }
    return List.copyOf(byName.values());
  }

  /** <a href="https://webidl.spec.whatwg.org/#dfn-json-types">JSON types</a> */
  private boolean isJsonType(IdlType unresolved) {
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

  private static List<String> unscopables(List<MergedMember> exposed) {
    List<String> names = new ArrayList<>();
    for (MergedMember merged : exposed) {
      String name = merged.member().identifier();
      if (name != null
          && merged.member().extendedAttributes().has("Unscopable")
          && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private Map<String, Object> factory(MergedInterface from, LegacyFactoryFunction factory) {
    return map(
        "name",
        factory.name(),
        "overloads",
        overloads(
            from.name(),
            "factory " + factory.name(),
            null,
            factory.overloads(),
            ExtendedAttribute.Value.NamedArgumentList::arguments));
  }

  private List<Object> constants(List<MergedMember> exposed) {
    List<Object> constants = new ArrayList<>();
    for (MergedMember merged : exposed) {
      if (merged.member() instanceof Constant constant) {
        constants.add(List.of(constant.name(), literal(constant.value())));
      }
    }
    return constants;
  }

  private Map<String, Object> namespaceTable(MergedNamespace from) {
    List<MergedMember> exposed = from.members().stream().filter(exposedMember).toList();
    List<Object> attributes = new ArrayList<>();
    for (MergedMember merged : exposed) {
      if (merged.member() instanceof Attribute attribute) {
        attributes.add(staticAttribute(from.name(), merged, attribute));
      }
    }
    return map(
        "name", from.name(),
        "consts", constants(exposed),
        "attributes", attributes,
        "operations", operations(from.name(), from.operations(), from.members(), true));
  }

  /** Whether a [Global] interface, exposed here, is the interface or inherits from it. */
  private boolean isInGlobalChain(MergedInterface from) {
    for (MergedInterface each : model.interfaces()) {
      if (each.extendedAttributes().has("Global")
          && exposedInterface.test(each)
          && (each == from || each.inheritedInterfaces().contains(from))) {
        return true;
      }
    }
    return false;
  }

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
    return attribute(owner, merged, attribute, attribute.isStatic());
  }

  /** An attribute of a namespace: without {@code this}, like a static one. */
  private Map<String, Object> staticAttribute(
      String owner, MergedMember merged, Attribute attribute) {
    return attribute(owner, merged, attribute, true);
  }

  private Map<String, Object> attribute(
      String owner, MergedMember merged, Attribute attribute, boolean isStatic) {
    ExtendedAttributes extended = attribute.extendedAttributes();
    String name = attribute.name();
    String prefix = isStatic ? "static " : "";
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
    table.put("static", isStatic);
    table.put("lenientThis", extended.has("LegacyLenientThis"));
    table.put("lenientSetter", extended.has("LegacyLenientSetter"));
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
        isUnforgeable(from),
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

  /** What makes the objects of an interface legacy platform objects; null if nothing does. */
  private @Nullable Map<String, Object> legacy(MergedInterface from, List<MergedMember> exposed) {
    Map<String, Object> indexed = null;
    Map<String, Object> named = null;
    List<MergedMember> all = new ArrayList<>(exposed);
    from.inheritedInterfaces()
        .forEach(each -> each.members().stream().filter(exposedMember).forEach(all::add));
    for (MergedMember merged : all) {
      if (!(merged.member() instanceof Operation operation)
          || operation.special() != Special.GETTER) {
        continue;
      }
      boolean byIndex = isIndex(operation.arguments().getFirst());
      Map<String, Object> table =
          map("get", special(from, byIndex ? "indexed getter" : "named getter", merged, operation));
      table.put("set", -1);
      table.put("delete", -1);
      if (byIndex && indexed == null) {
        MergedMember length = from.attribute("length");
        table.put(
            "size",
            length == null
                ? members.idOf(from.name(), "indices", merged, 0, List.of())
                : members.idOf(from.name(), "get length", length, 0, List.of()));
        indexed = table;
      } else if (!byIndex && named == null) {
        table.put("names", members.idOf(from.name(), "names", merged, 0, List.of()));
        named = table;
      }
    }
    if (indexed == null && named == null) {
      return null;
    }
    for (MergedMember merged : all) {
      if (!(merged.member() instanceof Operation operation)
          || operation.special() == Special.NONE
          || operation.special() == Special.GETTER) {
        continue;
      }
      boolean byIndex = isIndex(operation.arguments().getFirst());
      Map<String, Object> table = byIndex ? indexed : named;
      if (table == null) {
        throw new IllegalStateException(
            from.name() + " has a special operation without its getter: " + operation.special());
      }
      if (operation.special() == Special.SETTER) {
        String key = byIndex ? "indexed setter" : "named setter";
        table.put("set", special(from, key, merged, operation));
        table.put("type", type(operation.arguments().get(1).type()));
      } else {
        table.put("delete", special(from, "named deleter", merged, operation));
      }
    }
    boolean enumerable = !from.extendedAttributes().has("LegacyUnenumerableNamedProperties");
    return map(
        "indexed", indexed,
        "named", named,
        "overrideBuiltIns", from.extendedAttributes().has("LegacyOverrideBuiltIns"),
        "enumerableNames", enumerable);
  }

  /** The code of a special operation: that of its identifier, if it has one. */
  private int special(MergedInterface from, String key, MergedMember merged, Operation operation) {
    String name = operation.name();
    if (name == null) {
      return members.idOf(from.name(), key, merged, 0, operation.arguments());
    }
    OperationGroup group = from.operation(name, false);
    int overload = group == null ? 0 : group.operations().indexOf(operation);
    return members.idOf(
        from.name(), "call " + name, merged, Math.max(overload, 0), operation.arguments());
  }

  private boolean isIndex(Argument key) {
    return model.resolve(key.type()).withoutAnnotations() instanceof IdlType.PrimitiveType;
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
