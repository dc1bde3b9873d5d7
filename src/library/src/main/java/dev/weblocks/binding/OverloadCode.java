package dev.weblocks.binding;

import static dev.weblocks.binding.JsWriter.js;

import dev.weblocks.idl.Argument;
import dev.weblocks.idl.Definition;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.MergedCallbackInterface;
import dev.weblocks.idl.MergedDictionary;
import dev.weblocks.idl.MergedInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The choice between overloads by the value of the distinguishing argument.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#dfn-overload-resolution-algorithm">overload
 *     resolution algorithm</a>
 */
final class OverloadCode {

  /**
   * A case of a choice.
   *
   * @param condition the expression that selects it; null if nothing else is left
   * @param overload the index of the overload among the candidates
   */
  record Case(@Nullable String condition, int overload) {}

  /**
   * A choice.
   *
   * @param cases the cases, to be tested in this order
   * @param readsIterator whether a condition assigns the value's @@iterator method to the variable
   *     {@code method}
   */
  record Choice(List<Case> cases, boolean readsIterator) {

    /** Returns whether there is a value for which no overload is chosen. */
    boolean mayFail() {
      return cases.isEmpty() || cases.getLast().condition() != null;
    }
  }

  private final IdlModel model;
  private final ConversionCode conversions;

  OverloadCode(IdlModel model, ConversionCode conversions) {
    this.model = model;
    this.conversions = conversions;
  }

  /**
   * Returns the choice between overloads.
   *
   * @param candidates the arguments of each overload
   * @param index the distinguishing argument index
   * @param value the variable with the value of that argument
   */
  Choice choice(CodeScope scope, List<List<Argument>> candidates, int index, String value) {
    List<Argument> arguments = new ArrayList<>();
    List<List<IdlType>> types = new ArrayList<>();
    for (List<Argument> each : candidates) {
      Argument argument = each.get(Math.min(index, each.size() - 1));
      arguments.add(argument);
      types.add(parts(argument.type()));
    }
    String isObject = scope.use("isObject") + "(" + value + ")";
    List<Case> cases = new ArrayList<>();
    // 12.2. If V is undefined, and there is an entry whose optionality value at i is "optional"
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).optional()) {
        cases.add(new Case(value + " === undefined", i));
        break;
      }
    }
    // 12.3. If V is null or undefined: a type that includes a nullable type, or a dictionary
    add(
        cases,
        js("%1$s === undefined || %1$s === null", value),
        first(types, type -> type instanceof IdlType.NullableType || isDictionary(type)));
    // 12.4. If V is a platform object: an interface that it implements
    for (int i = 0; i < types.size(); i++) {
      for (IdlType type : types.get(i)) {
        if (definition(type) instanceof MergedInterface target) {
          cases.add(new Case(conversions.implementing(scope, target, value) + " !== undefined", i));
        }
      }
    }
    // 12.5 to 12.8. If V is a buffer or a view: its type
    for (int i = 0; i < types.size(); i++) {
      for (IdlType type : types.get(i)) {
        if (type instanceof IdlType.BufferType buffer) {
          cases.add(
              new Case(
                  js(
                      "%s && %s(%s, %s)",
                      isObject,
                      scope.use("isBufferOf"),
                      JsLiteral.text(buffer.kind().toIdl()),
                      value),
                  i));
        }
      }
    }
    // 12.9. If IsCallable(V) is true: a callback function
    add(
        cases,
        js("typeof %s === 'function'", value),
        first(types, type -> definition(type) instanceof Definition.CallbackFunction));
    // 12.11. If V is an object: a sequence type, if there is a method @@iterator
    int sequence =
        first(
            types,
            type ->
                type instanceof IdlType.SequenceType || type instanceof IdlType.FrozenArrayType);
    if (sequence >= 0) {
      cases.add(
          new Case(
              js(
                  "%s && (method = %s[%s] ?? undefined) !== undefined",
                  isObject, value, scope.use("iterator")),
              sequence));
    }
    // 12.12. If V is an object: a callback interface, a dictionary, a record or object
    add(
        cases,
        isObject,
        first(
            types,
            type ->
                definition(type) instanceof MergedCallbackInterface
                    || isDictionary(type)
                    || type instanceof IdlType.RecordType
                    || type instanceof IdlType.ObjectType));
    // 12.13 to 12.15. If V is a boolean, a number or a bigint: its type
    int isBoolean = first(types, type -> isPrimitive(type, kind(IdlType.Primitive.BOOLEAN)));
    int isBigint = first(types, type -> isPrimitive(type, kind(IdlType.Primitive.BIGINT)));
    int isNumeric =
        first(
            types,
            type ->
                isPrimitive(
                    type,
                    kind -> kind != IdlType.Primitive.BOOLEAN && kind != IdlType.Primitive.BIGINT));
    add(cases, js("typeof %s === 'boolean'", value), isBoolean);
    add(cases, js("typeof %s === 'number'", value), isNumeric);
    add(cases, js("typeof %s === 'bigint'", value), isBigint);
    // 12.16 to 12.20. Otherwise: a string type, a numeric type, boolean, bigint, any
    int other =
        first(
            types,
            type ->
                type instanceof IdlType.StringType
                    || definition(type) instanceof Definition.Enumeration);
    for (int next :
        new int[] {
          isNumeric, isBoolean, isBigint, first(types, type -> type instanceof IdlType.AnyType)
        }) {
      other = other < 0 ? next : other;
    }
    if (other >= 0) {
      while (!cases.isEmpty()
          && cases.getLast().overload() == other
          && !readsIterator(cases.getLast())) {
        cases.removeLast();
      }
      cases.add(new Case(null, other));
    }
    List<Case> merged = merge(cases);
    return new Choice(merged, merged.stream().anyMatch(OverloadCode::readsIterator));
  }

  private static boolean readsIterator(Case each) {
    return each.condition() != null && each.condition().contains("(method = ");
  }

  /** Joins consecutive cases with the same overload. */
  private static List<Case> merge(List<Case> cases) {
    List<Case> merged = new ArrayList<>();
    for (Case each : cases) {
      Case last = merged.isEmpty() ? null : merged.getLast();
      if (last == null || each.condition() == null || last.overload() != each.overload()) {
        merged.add(each);
      } else if (each.condition().startsWith(last.condition() + " || ")) {
        merged.set(merged.size() - 1, each);
      } else {
        merged.set(
            merged.size() - 1,
            new Case(
                grouped(last.condition()) + " || " + grouped(each.condition()), each.overload()));
      }
    }
    return merged;
  }

  private static String grouped(@Nullable String condition) {
    String text = String.valueOf(condition);
    return text.contains(" && ") && !text.contains(" || ") ? "(" + text + ")" : text;
  }

  private static void add(List<Case> cases, String condition, int overload) {
    if (overload >= 0) {
      cases.add(new Case(condition, overload));
    }
  }

  /** Returns the first overload with a type that passes a test; -1 for none. */
  private static int first(List<List<IdlType>> types, Predicate<IdlType> test) {
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i).stream().anyMatch(test)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns a type, the type inside a nullable type, and the members of a union. */
  private List<IdlType> parts(IdlType type) {
    List<IdlType> parts = new ArrayList<>();
    IdlType resolved = model.resolve(type).withoutAnnotations();
    parts.add(resolved);
    if (resolved instanceof IdlType.NullableType nullable) {
      parts.addAll(parts(nullable.inner()));
    } else if (resolved instanceof IdlType.UnionType union) {
      for (IdlType member : union.flattenedMemberTypes()) {
        parts.addAll(parts(member));
      }
      if (union.includesNullableType()) {
        parts.add(new IdlType.NullableType(new IdlType.AnyType()));
      }
    }
    return parts;
  }

  private @Nullable Object definition(IdlType type) {
    return type instanceof IdlType.NamedType named ? model.definition(named) : null;
  }

  private boolean isDictionary(IdlType type) {
    return definition(type) instanceof MergedDictionary;
  }

  private static Predicate<IdlType.Primitive> kind(IdlType.Primitive kind) {
    return kind::equals;
  }

  private static boolean isPrimitive(IdlType type, Predicate<IdlType.Primitive> test) {
    return type instanceof IdlType.PrimitiveType primitive && test.test(primitive.kind());
  }
}
