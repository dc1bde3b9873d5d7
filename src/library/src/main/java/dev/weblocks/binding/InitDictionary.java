package dev.weblocks.binding;

import dev.weblocks.idl.DictionaryMember;
import dev.weblocks.idl.IdlLiteral;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.MergedDictionary;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary from which the objects of an interface are initialized, for objects that store its
 * members. Members of inherited dictionaries come first, so a member has the same index in all
 * derived dictionaries. Immutable.
 */
public final class InitDictionary {

  /** The kinds of member types, known in advance because each new object needs them. */
  private enum Kind {
    /** An interface, or a union that may have one. */
    OBJECT,
    SEQUENCE,
    OTHER
  }

  private final List<String> names;
  private final Kind[] kinds;
  private final @Nullable Object[] defaults;

  private InitDictionary(List<DictionaryMember> members) {
    this.names = members.stream().map(DictionaryMember::name).toList();
    this.kinds = members.stream().map(member -> kindOf(member.type())).toArray(Kind[]::new);
    this.defaults =
        members.stream().map(member -> javaValue(member.defaultValue())).toArray(Object[]::new);
  }

  /**
   * Returns the dictionary of an interface: that with the name of the interface and {@code Init}.
   * It has no members if the IDL has none with this name.
   */
  public static InitDictionary of(IdlModel model, String interfaceName) {
    return new InitDictionary(
        model.find(interfaceName + "Init") instanceof MergedDictionary dictionary
            ? dictionary.allMembers()
            : List.of());
  }

  private static @Nullable Object javaValue(@Nullable IdlLiteral literal) {
    return switch (literal) {
      case IdlLiteral.BooleanLiteral bool -> bool.value();
      case IdlLiteral.IntegerLiteral integer -> integer.value().doubleValue();
      case IdlLiteral.DecimalLiteral decimal -> decimal.doubleValue();
      case IdlLiteral.StringLiteral string -> string.value();
      case IdlLiteral.EmptySequenceLiteral none -> List.of();
      case null, default -> null;
    };
  }

  /** Returns the names of the members, in conversion order. */
  public List<String> names() {
    return names;
  }

  /**
   * Returns the index of a member.
   *
   * @throws IllegalArgumentException if there is no such member
   */
  public int indexOf(String member) {
    int index = names.indexOf(member);
    if (index < 0) {
      throw new IllegalArgumentException("unknown member '" + member + "'; members are " + names);
    }
    return index;
  }

  /** Returns a new array of the default values; null for members without one. */
  public @Nullable Object[] defaults() {
    return defaults.clone();
  }

  /** Returns the default value of a member; null for none. */
  public @Nullable Object defaultOf(int index) {
    return defaults[index];
  }

  /** Returns a new array of the given values, in the form of {@link #stored}. */
  public @Nullable Object[] values(DictionaryView given) {
    @Nullable Object[] values = new @Nullable Object[names.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = stored(i, given.at(i));
    }
    return values;
  }

  /**
   * Returns a converted value in a form that outlives the call: the implementation of a platform
   * object, a list for a sequence, the value itself for any other type.
   *
   * @param index the member whose type the value has
   */
  public Object stored(int index, Value value) {
    return switch (kinds[index]) {
      case OBJECT -> objectOf(value);
      case SEQUENCE -> ScriptValues.items(value).stream().map(InitDictionary::objectOf).toList();
      case OTHER -> value;
    };
  }

  private static Object objectOf(Value value) {
    return value.isHostObject() ? value.asHostObject() : value;
  }

  private static Kind kindOf(IdlType annotated) {
    return switch (annotated.withoutAnnotations()) {
      case IdlType.NullableType nullable -> kindOf(nullable.inner());
      case IdlType.SequenceType sequence -> Kind.SEQUENCE;
      case IdlType.NamedType named -> Kind.OBJECT;
      case IdlType.UnionType union -> Kind.OBJECT;
      default -> Kind.OTHER;
    };
  }
}
