package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The builder of one {@link IdlModel}. Collects definitions, checks names, and merges partials and
 * mixins.
 */
final class Merger {

  /** A limit, so that no chain overflows the stack. The IDL of browsers needs seven. */
  private static final int MAX_ANCESTORS = 64;

  private final Map<String, Definition> originals = new LinkedHashMap<>();
  private final Map<String, List<Definition>> partials = new LinkedHashMap<>();
  private final List<Definition.Includes> includes = new ArrayList<>();
  private final TypeTable types;
  private final ModelChecks checks;
  private final Map<String, MergedInterface> interfaces = new LinkedHashMap<>();
  private final Map<String, MergedDictionary> dictionaries = new LinkedHashMap<>();
  private final List<NamedDefinition> others = new ArrayList<>();
  private final List<MergedNamespace> namespaces = new ArrayList<>();

  Merger(List<IdlFile> files) {
    files.forEach(file -> file.definitions().forEach(this::collect));
    checkPartials();
    checkIncludes();
    checkInheritance();
    types = new TypeTable(originals);
    // Dictionaries first: the checks of arguments need to find out whether one has required
    // members.
    for (Definition definition : originals.values()) {
      if (definition instanceof Definition.Dictionary dictionary) {
        merge(dictionary);
      }
    }
    checks = new ModelChecks(types, dictionaries);
    dictionaries.values().forEach(checks::check);
    for (Definition definition : originals.values()) {
      switch (definition) {
        case Definition.Interface d -> merge(d);
        case Definition.Namespace d -> merge(d);
        case Definition.CallbackInterface d -> merge(d);
        case Definition.CallbackFunction d -> merge(d);
        case Definition.Enumeration d -> merge(d);
        case Definition.Typedef d ->
            types.resolve(new IdlType.NamedType(d.name(), d.position()), d.position());
        case Definition.Mixin d -> checkUnusedMixin(d);
        case Definition.Dictionary d -> {} // merged above
        case Definition.Includes d -> {} // never an original
      }
    }
  }

  TypeTable types() {
    return types;
  }

  List<MergedInterface> interfaces() {
    return List.copyOf(interfaces.values());
  }

  List<MergedNamespace> namespaces() {
    return namespaces;
  }

  List<NamedDefinition> namedDefinitions() {
    List<NamedDefinition> all = new ArrayList<>(interfaces.values());
    all.addAll(dictionaries.values());
    all.addAll(others);
    return all;
  }

  // Collecting and checking names

  private void collect(Definition definition) {
    boolean partial =
        switch (definition) {
          case Definition.Interface d -> d.partial();
          case Definition.Mixin d -> d.partial();
          case Definition.Dictionary d -> d.partial();
          case Definition.Namespace d -> d.partial();
          default -> false;
        };
    if (definition instanceof Definition.Includes statement) {
      includes.add(statement);
    } else if (partial) {
      partials.computeIfAbsent(definition.name(), name -> new ArrayList<>()).add(definition);
    } else {
      ModelChecks.checkNotReserved(definition.name(), definition.position());
      Definition earlier = originals.putIfAbsent(definition.name(), definition);
      if (earlier != null) {
        throw new IdlModelException(
            definition.position(),
            ("\"%s\" is already defined at %s; mark one of the two partial, rename it or"
                    + " leave it out")
                .formatted(definition.name(), earlier.position()));
      }
    }
  }

  private void checkPartials() {
    for (List<Definition> list : partials.values()) {
      for (Definition partial : list) {
        Definition original = originals.get(partial.name());
        if (original == null || original.getClass() != partial.getClass()) {
          throw new IdlModelException(
              partial.position(),
              "partial "
                  + partial.inWords()
                  + " \""
                  + partial.name()
                  + "\" has no original definition"
                  + (original == null
                      ? "; add the IDL text that has it"
                      : ": " + original.position() + " defines it as another kind"));
        }
      }
    }
  }

  private void checkIncludes() {
    Set<List<String>> seen = new HashSet<>();
    for (Definition.Includes statement : includes) {
      if (!(originals.get(statement.name()) instanceof Definition.Interface)) {
        throw new IdlModelException(
            statement.position(),
            "unknown interface \""
                + statement.name()
                + "\" in an includes statement; add the IDL text that defines it");
      }
      if (!(originals.get(statement.mixin()) instanceof Definition.Mixin)) {
        throw new IdlModelException(
            statement.position(),
            ("unknown mixin \"%s\" in an includes statement of \"%s\"; add the IDL text"
                    + " that defines it")
                .formatted(statement.mixin(), statement.name()));
      }
      if (!seen.add(List.of(statement.name(), statement.mixin()))) {
        throw new IdlModelException(
            statement.position(),
            "\"" + statement.name() + "\" includes \"" + statement.mixin() + "\" twice");
      }
    }
  }

  private void checkInheritance() {
    for (Definition definition : originals.values()) {
      Set<String> visited = new LinkedHashSet<>();
      Definition current = definition;
      String parentName = inherits(current);
      while (parentName != null) {
        visited.add(current.name());
        Definition parent = originals.get(parentName);
        if (parent == null || parent.getClass() != current.getClass()) {
          throw new IdlModelException(
              current.position(),
              "%s \"%s\" inherits from unknown %s \"%s\"; add the IDL text that defines it"
                  .formatted(current.inWords(), current.name(), current.inWords(), parentName));
        }
        if (visited.contains(parentName)) {
          throw new IdlModelException(
              definition.position(),
              "%s \"%s\" inherits in a cycle: %s : %s"
                  .formatted(
                      definition.inWords(),
                      definition.name(),
                      String.join(" : ", visited),
                      parentName));
        }
        if (visited.size() > MAX_ANCESTORS) {
          throw new IdlModelException(
              definition.position(),
              "%s \"%s\" has more than %d ancestors"
                  .formatted(definition.inWords(), definition.name(), MAX_ANCESTORS));
        }
        current = parent;
        parentName = inherits(current);
      }
    }
  }

  private static @Nullable String inherits(Definition definition) {
    return switch (definition) {
      case Definition.Interface d -> d.inherits();
      case Definition.Dictionary d -> d.inherits();
      default -> null;
    };
  }

  private List<Definition> partialsOf(String name) {
    return partials.getOrDefault(name, List.of());
  }

  // Merging

  private MergedDictionary merge(Definition.Dictionary original) {
    MergedDictionary known = dictionaries.get(original.name());
    if (known != null) {
      return known;
    }
    MergedDictionary parent =
        originals.get(original.inherits() == null ? "" : original.inherits())
                instanceof Definition.Dictionary parentDefinition
            ? merge(parentDefinition)
            : null;
    List<DictionaryMember> members = new ArrayList<>(original.members());
    for (Definition partial : partialsOf(original.name())) {
      if (partial instanceof Definition.Dictionary dictionary) {
        members.addAll(dictionary.members());
      }
    }
    members.sort(Comparator.comparing(DictionaryMember::name));
    MergedDictionary merged =
        new MergedDictionary(
            original.name(),
            parent,
            members.stream()
                .map(member -> member.withType(types.resolve(member.type(), member.position())))
                .toList(),
            original.extendedAttributes(),
            original.position());
    dictionaries.put(merged.name(), merged);
    return merged;
  }

  private MergedInterface merge(Definition.Interface original) {
    MergedInterface known = interfaces.get(original.name());
    if (known != null) {
      return known;
    }
    MergedInterface parent =
        originals.get(original.inherits() == null ? "" : original.inherits())
                instanceof Definition.Interface parentDefinition
            ? merge(parentDefinition)
            : null;
    String name = original.name();
    Exposure exposure = Exposures.of(original);
    ExtendedAttribute global = original.extendedAttributes().get("Global");
    if (global != null && global.identifiers().isEmpty()) {
      throw new IdlModelException(
          global.position(),
          "[Global] of \"" + name + "\" must take an identifier or a list of identifiers");
    }
    List<MergedMember> members = new ArrayList<>();
    addMembers(members, original.members(), original, original, List.of(), null);
    for (Definition partial : partialsOf(name)) {
      if (partial instanceof Definition.Interface each) {
        addMembers(members, each.members(), each, original, List.of(partial), null);
      }
    }
    for (Definition.Includes statement : includes) {
      if (statement.name().equals(name)
          && originals.get(statement.mixin()) instanceof Definition.Mixin mixin) {
        addMembers(members, mixin.members(), mixin, original, List.of(mixin), exposure);
        for (Definition partial : partialsOf(mixin.name())) {
          if (partial instanceof Definition.Mixin each) {
            addMembers(members, each.members(), each, original, List.of(each, mixin), exposure);
          }
        }
      }
    }
    checks.check(name, members);
    List<Member.Constructor> constructors = new ArrayList<>();
    for (MergedMember each : members) {
      if (each.member() instanceof Member.Constructor constructor) {
        constructors.add(constructor);
      }
    }
    MergedInterface merged =
        new MergedInterface(
            name,
            parent,
            members,
            operationGroups(name, members),
            new Overloads<>(
                constructors,
                Member.Constructor::arguments,
                "the constructor of " + name,
                original.position(),
                types),
            legacyFactoryFunctions(original),
            exposure,
            original.extendedAttributes(),
            original.position());
    interfaces.put(name, merged);
    return merged;
  }

  private void merge(Definition.Namespace original) {
    List<MergedMember> members = new ArrayList<>();
    addMembers(members, original.members(), original, original, List.of(), null);
    for (Definition partial : partialsOf(original.name())) {
      if (partial instanceof Definition.Namespace each) {
        addMembers(members, each.members(), each, original, List.of(each), null);
      }
    }
    checks.check(original.name(), members);
    namespaces.add(
        new MergedNamespace(
            original.name(),
            members,
            operationGroups(original.name(), members),
            Exposures.of(original),
            original.extendedAttributes(),
            original.position()));
  }

  private void merge(Definition.CallbackInterface original) {
    boolean hasConstants = original.members().stream().anyMatch(Member.Constant.class::isInstance);
    boolean exposed = hasConstants || original.extendedAttributes().has("Exposed");
    List<MergedMember> constants = new ArrayList<>();
    List<Member.Operation> operations = new ArrayList<>();
    for (Member member : original.members()) {
      Member resolved = types.resolve(member);
      switch (resolved) {
        case Member.Constant constant -> {
          checks.check(original.name(), constant);
          constants.add(
              new MergedMember(
                  constant, original, Exposures.ofMember(constant, original, List.of(), null)));
        }
        case Member.Operation operation -> {
          ModelChecks.checkNotReserved(operation.name(), operation.position());
          checks.checkCallbackArguments(
              "callback interface " + original.name(), operation.arguments());
          operations.add(operation);
        }
        default -> throw new IllegalStateException("not in the grammar: " + resolved);
      }
    }
    others.add(
        new MergedCallbackInterface(
            original.name(),
            constants,
            operations,
            exposed ? Exposures.of(original) : null,
            original.extendedAttributes(),
            original.position()));
  }

  private void merge(Definition.CallbackFunction original) {
    Definition.CallbackFunction resolved =
        new Definition.CallbackFunction(
            original.name(),
            types.resolve(original.returnType(), original.position()),
            types.resolveArguments(original.arguments()),
            original.extendedAttributes(),
            original.position());
    checks.checkCallbackArguments("callback function " + original.name(), resolved.arguments());
    others.add(resolved);
  }

  private void merge(Definition.Enumeration original) {
    Set<String> values = new HashSet<>();
    for (String value : original.values()) {
      if (!values.add(value)) {
        throw new IdlModelException(
            original.position(),
            "enumeration \"" + original.name() + "\" has the value \"" + value + "\" twice");
      }
    }
    others.add(original);
  }

  /** Checks the types of a mixin, even if no interface includes it. */
  private void checkUnusedMixin(Definition.Mixin mixin) {
    mixin.members().forEach(types::resolve);
    for (Definition partial : partialsOf(mixin.name())) {
      if (partial instanceof Definition.Mixin each) {
        each.members().forEach(types::resolve);
      }
    }
  }

  /**
   * Resolves members and adds them with their exposure.
   *
   * @param declaredOn the definition that declares the members
   * @param original the interface or namespace that gets the members
   * @param between nothing, a partial, a mixin, or first a partial mixin and then its mixin
   * @param host the exposure of {@code original} for members of a mixin, else null
   */
  private void addMembers(
      List<MergedMember> members,
      List<Member> declared,
      Definition declaredOn,
      Definition original,
      List<Definition> between,
      @Nullable Exposure host) {
    for (Member member : declared) {
      Exposure exposure = Exposures.ofMember(member, original, between, host);
      members.add(new MergedMember(types.resolve(member), declaredOn, exposure));
    }
  }

  private List<OperationGroup> operationGroups(String owner, List<MergedMember> members) {
    Map<List<Object>, List<MergedMember>> groups = new LinkedHashMap<>();
    for (MergedMember each : members) {
      if (each.member() instanceof Member.Operation operation && operation.name() != null) {
        groups
            .computeIfAbsent(
                List.of(operation.name(), operation.isStatic()), key -> new ArrayList<>())
            .add(each);
      }
    }
    List<OperationGroup> result = new ArrayList<>();
    for (List<MergedMember> group : groups.values()) {
      result.add(operationGroup(owner, group));
    }
    return result;
  }

  private OperationGroup operationGroup(String owner, List<MergedMember> group) {
    MergedMember first = group.getFirst();
    List<Member.Operation> operations = new ArrayList<>();
    String name = "";
    boolean isStatic = false;
    for (MergedMember each : group) {
      if (each.member() instanceof Member.Operation operation && operation.name() != null) {
        name = operation.name();
        isStatic = operation.isStatic();
        operations.add(operation);
      }
    }
    String what = "operation " + owner + "." + name;
    for (MergedMember each : group) {
      if (each.declaredOn() != first.declaredOn()) {
        throw new IdlModelException(
            each.member().position(),
            "%s is overloaded in two definitions, also at %s; declare all overloads in one of them"
                .formatted(what, first.member().position()));
      }
      if (!each.exposure().equals(first.exposure())) {
        throw new IdlModelException(
            each.member().position(),
            "overloads of "
                + what
                + " must have the same exposure: give all the same [Exposed], [SecureContext] and"
                + " [CrossOriginIsolated]");
      }
    }
    boolean promise = operations.getFirst().returnType().isPromiseType();
    for (Member.Operation operation : operations) {
      if (operation.returnType().isPromiseType() != promise) {
        throw new IdlModelException(
            operation.position(),
            "overloads of " + what + " must all return promises, or none of them");
      }
    }
    Overloads<Member.Operation> overloads =
        new Overloads<>(
            operations, Member.Operation::arguments, what, operations.getFirst().position(), types);
    return new OperationGroup(name, isStatic, overloads, first.exposure());
  }

  private List<LegacyFactoryFunction> legacyFactoryFunctions(Definition.Interface original) {
    Map<String, List<ExtendedAttribute.Value.NamedArgumentList>> byName = new LinkedHashMap<>();
    for (ExtendedAttribute attribute : original.extendedAttributes().all("LegacyFactoryFunction")) {
      if (!(attribute.value() instanceof ExtendedAttribute.Value.NamedArgumentList list)) {
        throw new IdlModelException(
            attribute.position(),
            "[LegacyFactoryFunction] of \""
                + original.name()
                + "\" must take a named argument list, such as Image(long width)");
      }
      List<Argument> arguments = types.resolveArguments(list.arguments());
      checks.checkArguments("legacy factory function " + list.name(), arguments);
      byName
          .computeIfAbsent(list.name(), name -> new ArrayList<>())
          .add(new ExtendedAttribute.Value.NamedArgumentList(list.name(), arguments));
    }
    List<LegacyFactoryFunction> functions = new ArrayList<>();
    byName.forEach((name, lists) ->
        functions.add(
            new LegacyFactoryFunction(
                name,
                new Overloads<>(
                    lists,
                    ExtendedAttribute.Value.NamedArgumentList::arguments,
                    "legacy factory function " + name,
                    original.position(),
                    types))));
    return functions;
  }
}
