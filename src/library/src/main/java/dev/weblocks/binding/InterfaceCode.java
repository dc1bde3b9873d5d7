package dev.weblocks.binding;

import static dev.weblocks.binding.TypeTables.map;
import static dev.weblocks.binding.TypeTables.unsupported;

import dev.weblocks.binding.AttributeCode.JsonAttribute;
import dev.weblocks.binding.RealmSources.Exposure;
import dev.weblocks.binding.RealmSources.Kind;
import dev.weblocks.idl.ExtendedAttribute;
import dev.weblocks.idl.IdlModel;
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
import dev.weblocks.idl.MergedInterface;
import dev.weblocks.idl.MergedMember;
import dev.weblocks.idl.MergedNamespace;
import dev.weblocks.idl.OperationGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the code of the interfaces, callback interfaces and namespaces that are exposed in
 * one kind of global. The members are functions; what else the prelude needs is data.
 */
final class InterfaceCode {

  private final IdlModel model;
  private final MemberTable members;
  private final Predicate<MergedInterface> exposedInterface;
  private final Predicate<MergedMember> exposedMember;
  private final Predicate<MergedNamespace> exposedNamespace;
  private final Predicate<MergedCallbackInterface> exposedCallbackInterface;
  private final boolean isWindow;
  private final TypeTables types;
  private final CallableCode callables;
  private final AttributeCode attributes;

  InterfaceCode(
      IdlModel model,
      Map<String, Integer> interfaceIds,
      MemberTable members,
      Predicate<MergedInterface> exposedInterface,
      Predicate<MergedMember> exposedMember,
      Predicate<MergedNamespace> exposedNamespace,
      Predicate<MergedCallbackInterface> exposedCallbackInterface,
      boolean isWindow) {
    this.model = model;
    this.members = members;
    this.exposedInterface = exposedInterface;
    this.exposedMember = exposedMember;
    this.exposedNamespace = exposedNamespace;
    this.exposedCallbackInterface = exposedCallbackInterface;
    this.isWindow = isWindow;
    this.types = new TypeTables(model, interfaceIds);
    ConversionCode conversions = new ConversionCode(model, types);
    this.callables = new CallableCode(model, conversions, members);
    this.attributes = new AttributeCode(model, conversions, callables, members);
  }

  /**
   * Returns how many interfaces, callback interfaces and namespaces there are, exposed or not.
   * {@link #part} numbers them in this order; the number of an interface is its id.
   */
  int parts() {
    return firstNamespace() + model.namespaces().size();
  }

  /** Returns the number of the part with a name; -1 if there is none. */
  int partNamed(String name) {
    List<String> names = new ArrayList<>();
    model.interfaces().forEach(each -> names.add(each.name()));
    model.callbackInterfaces().forEach(each -> names.add(each.name()));
    model.namespaces().forEach(each -> names.add(each.name()));
    return names.indexOf(name);
  }

  private int firstCallbackInterface() {
    return model.interfaces().size();
  }

  private int firstNamespace() {
    return firstCallbackInterface() + model.callbackInterfaces().size();
  }

  /**
   * Returns the code of the interface, callback interface or namespace with the given number; null
   * for an interface that is not exposed. Callable on any thread.
   */
  synchronized @Nullable String part(int number) {
    if (number < firstCallbackInterface()) {
      MergedInterface from = model.interfaces().get(number);
      return exposedInterface.test(from) ? interfaceCode(from) : null;
    }
    return number < firstNamespace()
        ? callbackInterface(model.callbackInterfaces().get(number - firstCallbackInterface()))
        : namespace(model.namespaces().get(number - firstNamespace()));
  }

  /**
   * Returns the properties of the global for interfaces, callback interfaces and namespaces, in
   * order. An entry of {@link Kind#GLOBAL} marks the position of the members of the global.
   */
  List<Exposure> exposures() {
    List<Exposure> exposures = new ArrayList<>();
    for (int i = 0; i < model.interfaces().size(); i++) {
      MergedInterface from = model.interfaces().get(i);
      if (exposedInterface.test(from)) {
        addExposures(exposures, from, i);
      }
    }
    for (int i = 0; i < model.callbackInterfaces().size(); i++) {
      MergedCallbackInterface from = model.callbackInterfaces().get(i);
      if (isExposed(from)) {
        exposures.add(
            new Exposure(from.name(), firstCallbackInterface() + i, Kind.CALLBACK_INTERFACE));
      }
    }
    for (int i = 0; i < model.namespaces().size(); i++) {
      MergedNamespace from = model.namespaces().get(i);
      if (exposedNamespace.test(from)) {
        exposures.add(new Exposure(from.name(), firstNamespace() + i, Kind.NAMESPACE));
      }
    }
    return exposures;
  }

  private void addExposures(List<Exposure> exposures, MergedInterface from, int part) {
    if (from.extendedAttributes().has("Global")) {
      exposures.add(new Exposure(from.name(), part, Kind.GLOBAL));
    }
    if (!isHidden(from)) {
      exposures.add(new Exposure(from.name(), part, Kind.INTERFACE));
      aliases(from).forEach(name -> exposures.add(new Exposure(name, part, Kind.INTERFACE)));
      from.legacyFactoryFunctions()
          .forEach(each -> exposures.add(new Exposure(each.name(), part, Kind.FACTORY)));
    }
  }

  private static boolean isHidden(MergedInterface from) {
    return from.extendedAttributes().has("LegacyNoInterfaceObject");
  }

  private boolean isExposed(MergedCallbackInterface from) {
    return !from.constants().isEmpty() && exposedCallbackInterface.test(from);
  }

  /** Returns the members of a dictionary. Callable on any thread. */
  synchronized Object dictionary(String name) {
    return types.dictionary(model.dictionary(name));
  }

  /** Returns all enumerations, by name. */
  Map<String, Object> enums() {
    model.enumerations().forEach(types::enumeration);
    return types.enums();
  }

  /** Writes all parts, so that all members have numbers. */
  void writeAll() {
    for (int i = 0; i < parts(); i++) {
      part(i);
    }
  }

  private String interfaceCode(MergedInterface from) {
    PartCode part = new PartCode();
    List<OperationGroup> groups = new ArrayList<>(from.operations());
    Iteration iteration = Iteration.NONE;
    boolean ofGlobal = isInGlobalChain(from);
    boolean stringifier = false;
    List<MergedMember> exposed = from.members().stream().filter(exposedMember).toList();
    for (MergedMember merged : exposed) {
      switch (merged.member()) {
        case Attribute attribute -> {
          attributes.attribute(
              part.members(attribute.isStatic(), isUnforgeable(attribute)),
              part.scope(),
              from.name(),
              attribute.isStatic() ? null : from,
              merged,
              attribute,
              ofGlobal);
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
                        "key", types.type(maplike.keyType()),
                        "value", types.type(maplike.valueType()),
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
                        "value", types.type(setlike.valueType()),
                        "readOnly", setlike.readOnly(),
                        "own", regularNames(groups)));
        case AsyncIterableDeclaration async -> throw unsupported(from.name(), kindOf(merged));
      }
    }
    OperationGroup defaultToJson = defaultToJson(groups);
    groups.remove(defaultToJson);
    operations(part, from.name(), from, groups, from.members(), ofGlobal);
    if (stringifier) {
      callables.stringifier(
          part.members(false, isStringifierUnforgeable(from)), part.scope(), from, ofGlobal);
    }
    if (defaultToJson != null) {
      attributes.defaultToJson(
          part.members(false, false), part.scope(), from, jsonAttributes(from), ofGlobal);
    }
    Map<String, Object> legacy = legacy(from, exposed);
    if (!from.constructors().isEmpty()) {
      callables.constructor(part.constructor(), part.scope(), from, legacy != null);
    }
    for (LegacyFactoryFunction each : from.legacyFactoryFunctions()) {
      callables.factory(part.factories(), part.scope(), from, each, legacy != null);
    }
    MergedInterface parent = from.parent();
    List<Integer> chain = new ArrayList<>();
    from.inheritedInterfaces().reversed().forEach(each -> chain.add(types.id(each.name())));
    chain.add(types.id(from.name()));
    Map<String, @Nullable Object> table = new LinkedHashMap<>();
    table.put("name", from.name());
    table.put("parent", parent == null ? -1 : types.id(parent.name()));
    table.put("chain", chain);
    table.put("global", from.extendedAttributes().has("Global"));
    table.put("globalChain", ofGlobal);
    table.put("hidden", isHidden(from));
    table.put("error", from.name().equals("DOMException"));
    table.put("legacy", legacy);
    table.put("valueIterator", iteration.values());
    table.put("pairs", iteration.pairs());
    table.put("maplike", iteration.maplike());
    table.put("setlike", iteration.setlike());
    table.put("unscopables", unscopables(exposed));
    table.put("consts", constants(exposed));
    return part.code(table);
  }

  private void operations(
      PartCode part,
      String owner,
      @Nullable MergedInterface from,
      List<OperationGroup> groups,
      List<MergedMember> all,
      boolean ofGlobal) {
    for (OperationGroup group : groups) {
      MergedMember merged = memberOf(group, all);
      if (merged != null && exposedMember.test(merged)) {
        boolean isStatic = group.isStatic() || from == null;
        boolean unforgeable =
            group.operations().getFirst().extendedAttributes().has("LegacyUnforgeable");
        callables.operation(
            part.members(group.isStatic(), unforgeable),
            part.scope(),
            owner,
            isStatic ? null : from,
            merged,
            group,
            ofGlobal);
      }
    }
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

  private static boolean isUnforgeable(Attribute attribute) {
    return attribute.extendedAttributes().has("LegacyUnforgeable");
  }

  /** Returns whether toString is unforgeable: true if the stringifier attribute is unforgeable. */
  private static boolean isStringifierUnforgeable(MergedInterface from) {
    for (MergedMember merged : from.members()) {
      if (merged.member() instanceof Attribute attribute && attribute.stringifier()) {
        return isUnforgeable(attribute);
      }
    }
    return false;
  }

  /** The iteration declaration of an interface, in the form that the prelude reads. */
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

  /** Returns the names of the operations that a maplike or setlike interface declares itself. */
  private static List<String> regularNames(List<OperationGroup> groups) {
    return groups.stream().filter(each -> !each.isStatic()).map(OperationGroup::name).toList();
  }

  private static @Nullable OperationGroup defaultToJson(List<OperationGroup> groups) {
    return groups.stream()
        .filter(group -> group.operations().getFirst().extendedAttributes().has("Default"))
        .findFirst()
        .orElse(null);
  }

  /** Returns the attributes that the default toJSON collects, those of the ancestors first. */
  private List<JsonAttribute> jsonAttributes(MergedInterface from) {
    List<MergedInterface> chain = new ArrayList<>(from.inheritedInterfaces().reversed());
    chain.add(from);
    Map<String, JsonAttribute> byName = new LinkedHashMap<>();
    for (MergedInterface owner : chain) {
      if (defaultToJson(owner.operations()) == null) {
        continue;
      }
      for (MergedMember merged : owner.members()) {
        if (exposedMember.test(merged)
            && merged.member() instanceof Attribute attribute
            && !attribute.isStatic()
            && types.isJsonType(attribute.type())) {
          String name = attribute.name();
          int get = members.idOf(owner.name(), "get " + name, merged, 0, List.of());
          byName.put(name, new JsonAttribute(name, get));
        }
      }
    }
    return List.copyOf(byName.values());
  }

  private static List<String> unscopables(List<MergedMember> exposed) {
    return exposed.stream()
        .filter(merged -> merged.member().extendedAttributes().has("Unscopable"))
        .map(merged -> merged.member().identifier())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private List<Object> constants(List<MergedMember> exposed) {
    List<Object> constants = new ArrayList<>();
    for (MergedMember merged : exposed) {
      if (merged.member() instanceof Constant constant) {
        constants.add(List.of(constant.name(), TypeTables.literal(constant.value())));
      }
    }
    return constants;
  }

  private String callbackInterface(MergedCallbackInterface from) {
    return new PartCode().code(map("name", from.name(), "consts", constants(from.constants())));
  }

  private String namespace(MergedNamespace from) {
    PartCode part = new PartCode();
    List<MergedMember> exposed = from.members().stream().filter(exposedMember).toList();
    for (MergedMember merged : exposed) {
      if (merged.member() instanceof Attribute attribute) {
        attributes.attribute(
            part.members(false, false), part.scope(), from.name(), null, merged, attribute, false);
      }
    }
    operations(part, from.name(), null, from.operations(), from.members(), false);
    return part.code(map("name", from.name(), "consts", constants(exposed)));
  }

  /** Returns whether an interface is an exposed [Global] interface, or an ancestor of one. */
  private boolean isInGlobalChain(MergedInterface from) {
    return model.interfaces().stream()
        .filter(each -> each.extendedAttributes().has("Global") && exposedInterface.test(each))
        .anyMatch(each -> each == from || each.inheritedInterfaces().contains(from));
  }

  private List<String> aliases(MergedInterface from) {
    ExtendedAttribute alias = from.extendedAttributes().get("LegacyWindowAlias");
    return alias == null || !isWindow ? List.of() : alias.identifiers();
  }

  private static String kindOf(MergedMember merged) {
    return merged.member().getClass().getSimpleName();
  }

  /** Returns the indexed and named properties; null if objects are not legacy platform objects. */
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
      boolean byIndex = types.isIndex(operation.arguments().getFirst());
      Map<String, Object> table =
          map("get", special(from, byIndex ? "indexed getter" : "named getter", merged, operation));
      table.put("set", -1);
      table.put("delete", -1);
      if (byIndex && indexed == null) {
        MergedMember length = Objects.requireNonNull(from.attribute("length"), from.name());
        table.put("size", members.idOf(from.name(), "get length", length, 0, List.of()));
        indexed = table;
      } else if (!byIndex && named == null) {
        table.put("names", members.idOf(from.name(), "names", merged, 0, List.of()));
        if (members.hasCode(from.name(), Implementations.SUPPORTS_NAME)) {
          table.put(
              "supports",
              members.idOf(
                  from.name(), Implementations.SUPPORTS_NAME, merged, 0, operation.arguments()));
        }
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
      boolean byIndex = types.isIndex(operation.arguments().getFirst());
      Map<String, Object> table = byIndex ? indexed : named;
      if (table == null) {
        throw new IllegalStateException(
            from.name() + " has a special operation without a getter: " + operation.special());
      }
      if (operation.special() == Special.SETTER) {
        String key = byIndex ? "indexed setter" : "named setter";
        table.put("set", special(from, key, merged, operation));
        table.put("type", types.type(operation.arguments().get(1).type()));
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

  /** Returns the member id of a special operation; if named, the id of the ordinary operation. */
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
}
