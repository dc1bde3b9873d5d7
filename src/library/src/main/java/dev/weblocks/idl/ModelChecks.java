package dev.weblocks.idl;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of members, arguments and default values that the grammar cannot express. */
final class ModelChecks {

  private static final Set<String> RESERVED = Set.of("constructor", "toString");

  private final TypeTable types;
  private final Map<String, MergedDictionary> dictionaries;

  ModelChecks(TypeTable types, Map<String, MergedDictionary> dictionaries) {
    this.types = types;
    this.dictionaries = dictionaries;
  }

  /** Checks the rule of https://webidl.spec.whatwg.org/#dfn-reserved-identifier. */
  static void checkNotReserved(@Nullable String identifier, SourcePosition position) {
    if (identifier != null && RESERVED.contains(identifier)) {
      throw new IdlModelException(
          position, "\"" + identifier + "\" is a reserved identifier; choose another name");
    }
  }

  /** Checks each member of a merged interface or namespace, and that no two conflict. */
  void check(String owner, List<MergedMember> members) {
    Map<String, Member> byIdentifier = new HashMap<>();
    Member iterated = null;
    Member stringifier = null;
    for (MergedMember each : members) {
      Member member = each.member();
      check(owner, member);
      String identifier = member.identifier();
      if (identifier != null) {
        Member earlier = byIdentifier.putIfAbsent(identifier, member);
        boolean bothOperations =
            earlier instanceof Member.Operation && member instanceof Member.Operation;
        if (earlier != null && !bothOperations) {
          throw new IdlModelException(
              member.position(),
              "\"%s\" already has a member \"%s\", at %s"
                  .formatted(owner, identifier, earlier.position()));
        }
      }
      switch (member) {
        case Member.IterableDeclaration m -> iterated = onlyOne(owner, "iteration", iterated, m);
        case Member.AsyncIterableDeclaration m ->
            iterated = onlyOne(owner, "iteration", iterated, m);
        case Member.MaplikeDeclaration m -> iterated = onlyOne(owner, "iteration", iterated, m);
        case Member.SetlikeDeclaration m -> iterated = onlyOne(owner, "iteration", iterated, m);
        case Member.Stringifier m -> stringifier = onlyOne(owner, "stringifier", stringifier, m);
        case Member.Attribute m -> {
          if (m.stringifier()) {
            stringifier = onlyOne(owner, "stringifier", stringifier, m);
          }
        }
        default -> {}
      }
    }
  }

  private static Member onlyOne(
      String owner, String what, @Nullable Member earlier, Member member) {
    if (earlier != null) {
      throw new IdlModelException(
          member.position(),
          "\"" + owner + "\" already declares its " + what + ", at " + earlier.position());
    }
    return member;
  }

  void check(String owner, Member member) {
    checkNotReserved(member.identifier(), member.position());
    switch (member) {
      case Member.Attribute m -> checkAttribute(owner, m);
      case Member.Constant m -> checkConstant(owner, m);
      case Member.Operation m ->
          checkArguments(
              m.name() == null
                  ? "special operation of " + owner
                  : "operation " + owner + "." + m.name(),
              m.arguments());
      case Member.Constructor m -> checkArguments("constructor of " + owner, m.arguments());
      case Member.AsyncIterableDeclaration m -> {
        checkArguments("async_iterable of " + owner, m.arguments());
        for (Argument argument : m.arguments()) {
          if (!argument.mayBeOmitted()) {
            throw new IdlModelException(
                argument.position(),
                "the argument \"%s\" of async_iterable of %s must be optional"
                    .formatted(argument.name(), owner));
          }
        }
      }
      default -> {}
    }
  }

  /** Checks the rules of https://webidl.spec.whatwg.org/#idl-attributes. */
  private void checkAttribute(String owner, Member.Attribute attribute) {
    for (IdlType type : attribute.type().flattenedMemberTypes()) {
      IdlType bare = type.withoutAnnotations();
      if (bare instanceof IdlType.SequenceType
          || bare instanceof IdlType.AsyncSequenceType
          || bare instanceof IdlType.RecordType
          || types.isDictionary(bare)) {
        throw new IdlModelException(
            attribute.position(),
            ("the attribute %s.%s must not be of type %s; use FrozenArray, ObservableArray,"
                    + " object or any")
                .formatted(owner, attribute.name(), bare.toIdl()));
      }
    }
  }

  /** Checks the rules of https://webidl.spec.whatwg.org/#idl-constants. */
  private static void checkConstant(String owner, Member.Constant constant) {
    if (!(constant.type().withoutAnnotations() instanceof IdlType.PrimitiveType)) {
      throw new IdlModelException(
          constant.position(),
          "the constant %s.%s must be of a primitive type, not %s"
              .formatted(owner, constant.name(), constant.type().toIdl()));
    }
    if (Set.of("length", "name", "prototype").contains(constant.name())) {
      throw new IdlModelException(
          constant.position(),
          "a constant of " + owner + " must not be named \"" + constant.name() + "\"");
    }
  }

  void check(MergedDictionary dictionary) {
    Map<String, DictionaryMember> byName = new HashMap<>();
    for (DictionaryMember member : dictionary.allMembers()) {
      String what = "dictionary member " + dictionary.name() + "." + member.name();
      checkNotReserved(member.name(), member.position());
      DictionaryMember earlier = byName.putIfAbsent(member.name(), member);
      if (earlier != null) {
        throw new IdlModelException(
            member.position(), what + " already exists, at " + earlier.position());
      }
      checkNoNullableDictionary(what, member.type(), member.position());
      checkDefault(what, member.type(), member.defaultValue(), member.position());
    }
  }

  /**
   * Checks the arguments of a function that script calls.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#idl-operations">Operations</a>
   */
  void checkArguments(String of, List<Argument> arguments) {
    checkCallbackArguments(of, arguments);
    boolean onlyOptionalFollow = true;
    for (int i = arguments.size() - 1; i >= 0 && onlyOptionalFollow; i--) {
      Argument argument = arguments.get(i);
      if (argument.defaultValue() == null
          && !argument.variadic()
          && takesDictionaryWithoutRequiredMembers(argument.type())) {
        throw new IdlModelException(
            argument.position(),
            ("the argument \"%s\" of %s takes a dictionary that may be empty: mark it"
                    + " optional, with default {}")
                .formatted(argument.name(), of));
      }
      onlyOptionalFollow = argument.mayBeOmitted();
    }
  }

  /** Checks the arguments of a callback; dictionaries among them need not be optional. */
  void checkCallbackArguments(String of, List<Argument> arguments) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      String what = "the argument \"" + argument.name() + "\" of " + of;
      if (!names.add(argument.name())) {
        throw new IdlModelException(argument.position(), what + " exists twice");
      }
      if (argument.variadic() && i < arguments.size() - 1) {
        throw new IdlModelException(
            argument.position(), what + " is variadic, so it must be the last one");
      }
      checkNoNullableDictionary(what, argument.type(), argument.position());
      checkDefault(what, argument.type(), argument.defaultValue(), argument.position());
    }
  }

  private boolean takesDictionaryWithoutRequiredMembers(IdlType type) {
    for (IdlType each : type.flattenedMemberTypes()) {
      if (each.withoutAnnotations() instanceof IdlType.NamedType named) {
        MergedDictionary dictionary = dictionaries.get(named.name());
        if (dictionary != null && !dictionary.hasRequiredMember()) {
          return true;
        }
      }
    }
    return false;
  }

  private void checkNoNullableDictionary(String what, IdlType type, SourcePosition position) {
    if (type.isNullable() && types.isDictionary(type.nonNullable())) {
      throw new IdlModelException(
          position, what + " must not be a nullable dictionary; drop the \"?\"");
    }
  }

  private void checkDefault(
      String what, IdlType type, @Nullable IdlLiteral literal, SourcePosition position) {
    List<IdlType> flattened = type.flattenedMemberTypes();
    boolean fits =
        switch (literal) {
          case null -> true;
          // The standard mentions only dictionaries; WebGPU uses this default for records, too.
          case IdlLiteral.EmptyDictionaryLiteral l ->
              flattened.stream()
                  .anyMatch(each ->
                      types.isDictionary(each)
                          || each.withoutAnnotations() instanceof IdlType.RecordType);
          case IdlLiteral.EmptySequenceLiteral l ->
              flattened.stream()
                  .anyMatch(each -> each.withoutAnnotations() instanceof IdlType.SequenceType);
          case IdlLiteral.NullLiteral l ->
              type.includesNullableType()
                  || type.withoutAnnotations() instanceof IdlType.AnyType
                  || flattened.stream().anyMatch(types::isDictionary);
          case IdlLiteral.StringLiteral l -> {
            Definition.Enumeration enumeration = types.enumeration(type);
            yield enumeration == null || enumeration.values().contains(l.value());
          }
          case IdlLiteral.BooleanLiteral l -> true;
          case IdlLiteral.IntegerLiteral l -> true;
          case IdlLiteral.DecimalLiteral l -> true;
          case IdlLiteral.UndefinedLiteral l -> true;
        };
    if (!fits && literal != null) {
      throw new IdlModelException(
          position,
          what + " of type " + type.toIdl() + " must not have the default " + literal.toIdl());
    }
  }
}
