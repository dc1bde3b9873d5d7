package dev.weblocks.binding;

import static dev.weblocks.binding.JsLiteral.text;
import static dev.weblocks.binding.JsWriter.js;

import dev.weblocks.idl.Definition;
import dev.weblocks.idl.ExtendedAttributes;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.MergedCallbackInterface;
import dev.weblocks.idl.MergedDictionary;
import dev.weblocks.idl.MergedInterface;
import org.jspecify.annotations.Nullable;

/**
 * The writer of conversions from JavaScript values to IDL types. Simple types are converted in
 * place, or by a function of the prelude. Types with parts have a converter, which the prelude
 * compiles from the table of the type.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#js-type-mapping">Web IDL</a>
 */
final class ConversionCode {

  private final IdlModel model;
  private final TypeTables types;

  ConversionCode(IdlModel model, TypeTables types) {
    this.model = model;
    this.types = types;
  }

  /** Returns the dictionary that a type refers to; null if it is another type, or a union. */
  @Nullable MergedDictionary dictionaryOf(IdlType type) {
    return model.resolve(type).withoutAnnotations() instanceof IdlType.NamedType named
            && model.find(named.name()) instanceof MergedDictionary dictionary
        ? dictionary
        : null;
  }

  /** Returns the enumeration that a type refers to; null if it is another type. */
  Definition.@Nullable Enumeration enumerationOf(IdlType type) {
    return model.resolve(type).withoutAnnotations() instanceof IdlType.NamedType named
            && model.find(named.name()) instanceof Definition.Enumeration enumeration
        ? enumeration
        : null;
  }

  /**
   * Writes the conversion of the value of a variable, which then has the converted value.
   *
   * @param where the literal of a text that errors begin with
   * @param method the variable that has the @@iterator method, if overload resolution has read it
   */
  void convert(
      JsWriter out,
      CodeScope scope,
      IdlType type,
      String variable,
      String where,
      @Nullable String method) {
    IdlType resolved = model.resolve(type);
    if (resolved.withoutAnnotations() instanceof IdlType.StringType string
        && string.kind() == IdlType.Text.DOMSTRING
        && !resolved.annotations().has("LegacyNullToEmptyString")) {
      out.open(js("if (typeof %s !== 'string') {", variable));
      out.line(js("%1$s = `${%1$s}`;", variable));
      out.close("}");
      return;
    }
    if (callbackOf(resolved) instanceof Definition.CallbackFunction callback
        && !isLegacy(callback)) {
      out.open(js("if (typeof %s !== 'function') {", variable));
      out.line(js("throw %s(%s);", scope.use("notAFunction"), where));
      out.close("}");
      return;
    }
    String converted = expression(scope, resolved, variable, where, method);
    if (!converted.equals(variable)) {
      out.line(variable + " = " + converted + ";");
    }
  }

  private Definition.@Nullable CallbackFunction callbackOf(IdlType resolved) {
    return resolved.withoutAnnotations() instanceof IdlType.NamedType named
            && model.find(named.name()) instanceof Definition.CallbackFunction callback
        ? callback
        : null;
  }

  private static boolean isLegacy(Definition.CallbackFunction callback) {
    return callback.extendedAttributes().has("LegacyTreatNonObjectAsNull");
  }

  /** Returns an expression for a converted value. */
  String expression(
      CodeScope scope, IdlType unresolved, String value, String where, @Nullable String method) {
    IdlType resolved = model.resolve(unresolved);
    ExtendedAttributes annotations = resolved.annotations();
    return switch (resolved.withoutAnnotations()) {
      case IdlType.AnyType any -> value;
      case IdlType.UndefinedType undefined -> "undefined";
      case IdlType.ObjectType object -> call(scope, "toObject", value, where);
      case IdlType.SymbolType symbol -> call(scope, "toSymbol", value, where);
      case IdlType.PrimitiveType primitive ->
          primitive(scope, primitive.kind(), annotations, value, where);
      case IdlType.StringType string -> {
        String converted =
            switch (string.kind()) {
              case DOMSTRING -> js("typeof %1$s === 'string' ? %1$s : `${%1$s}`", value);
              case USVSTRING -> call(scope, "toUSVString", value);
              case BYTESTRING -> call(scope, "toByteString", value, where);
            };
        yield annotations.has("LegacyNullToEmptyString")
            ? value + " === null ? '' : " + converted
            : converted;
      }
      case IdlType.NullableType nullable -> {
        String inner = expression(scope, nullable.inner(), value, where, method);
        yield callbackOf(model.resolve(nullable.inner())) instanceof Definition.CallbackFunction f
                && isLegacy(f)
            ? inner
            : js("%1$s === null || %1$s === undefined ? null : %2$s", value, inner);
      }
      case IdlType.PromiseType promise -> call(scope, "toPromise", value);
      case IdlType.NamedType named -> named(scope, named, value, where);
      case IdlType.BufferType parts -> compiled(scope, resolved, value, where, null);
      case IdlType.UnionType parts -> compiled(scope, resolved, value, where, method);
      case IdlType.SequenceType parts -> compiled(scope, resolved, value, where, method);
      case IdlType.FrozenArrayType parts -> compiled(scope, resolved, value, where, method);
      case IdlType.RecordType parts -> compiled(scope, resolved, value, where, null);
      case IdlType.AsyncSequenceType s -> compiled(scope, s, value, where, null);
      case IdlType.ObservableArrayType a -> compiled(scope, a, value, where, null);
      case IdlType.AnnotatedType never ->
          throw new IllegalStateException("an annotated type was not resolved");
    };
  }

  private static String call(CodeScope scope, String function, String... arguments) {
    return scope.use(function) + "(" + String.join(", ", arguments) + ")";
  }

  private String compiled(
      CodeScope scope, IdlType type, String value, String where, @Nullable String method) {
    return js(
        "%s(%s, %s%s)",
        scope.converter(types.type(type)), value, where, method == null ? "" : ", " + method);
  }

  private static String primitive(
      CodeScope scope,
      IdlType.Primitive kind,
      ExtendedAttributes annotations,
      String value,
      String where) {
    return switch (kind) {
      case BOOLEAN -> "!!" + value;
      case BYTE -> integer(scope, annotations, value, "8, true", where);
      case OCTET -> integer(scope, annotations, value, "8, false", where);
      case SHORT -> integer(scope, annotations, value, "16, true", where);
      case UNSIGNED_SHORT -> integer(scope, annotations, value, "16, false", where);
      case LONG -> integer(scope, annotations, value, "32, true", where);
      case UNSIGNED_LONG -> integer(scope, annotations, value, "32, false", where);
      case LONG_LONG -> integer(scope, annotations, value, "64, true", where);
      case UNSIGNED_LONG_LONG -> integer(scope, annotations, value, "64, false", where);
      case FLOAT -> call(scope, "toFloat", value, where);
      case UNRESTRICTED_FLOAT -> call(scope, "toUnrestrictedFloat", value);
      case DOUBLE -> call(scope, "toDouble", value, where);
      case UNRESTRICTED_DOUBLE -> "+" + value;
      case BIGINT -> call(scope, "toBigint", value);
    };
  }

  /**
   * @param kind the literals of the number of bits and of whether the type is signed
   */
  private static String integer(
      CodeScope scope, ExtendedAttributes annotations, String value, String kind, String where) {
    return annotations.has("EnforceRange")
        ? call(scope, "toIntegerInRange", value, kind, where)
        : call(scope, annotations.has("Clamp") ? "toClampedInteger" : "toInteger", value, kind);
  }

  private String named(CodeScope scope, IdlType.NamedType named, String value, String where) {
    String name = named.name();
    return switch (model.definition(named)) {
      case MergedInterface target ->
          js(
              "%s ?? %s",
              implementing(scope, target, value), call(scope, "notOfType", text(name), where));
      case MergedDictionary dictionary -> compiled(scope, named, value, where, null);
      case MergedCallbackInterface callback -> call(scope, "toObject", value, where);
      case Definition.Enumeration enumeration ->
          call(scope, "toEnum", value, values(scope, enumeration), text(name), where);
      case Definition.CallbackFunction callback ->
          isLegacy(callback)
              ? js("%s ? %s : null", call(scope, "isObject", value), value)
              : js(
                  "typeof %1$s === 'function' ? %1$s : %2$s",
                  value, call(scope, "notAFunction", where));
    };
  }

  /** Returns an expression for the set of the values of an enumeration. */
  String values(CodeScope scope, Definition.Enumeration enumeration) {
    return scope.use("enums") + JsLiteral.member(enumeration.name());
  }

  /** Returns an expression for the implementation of a platform object; undefined for none. */
  String implementing(CodeScope scope, MergedInterface target, String value) {
    return call(
        scope,
        "implementing",
        value,
        String.valueOf(target.inheritedInterfaces().size()),
        String.valueOf(types.id(target.name())));
  }
}
