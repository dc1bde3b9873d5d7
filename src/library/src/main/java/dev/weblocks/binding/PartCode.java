package dev.weblocks.binding;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The code of one interface, callback interface or namespace: a function of {@code (library,
 * record)}, the prelude's library and the record of the interface. It returns an object with the
 * members as methods and accessors, the constructor, and data.
 */
final class PartCode {

  private final CodeScope scope = new CodeScope();
  private final JsWriter members = new JsWriter();
  private final JsWriter statics = new JsWriter();
  private final JsWriter unforgeables = new JsWriter();
  private final JsWriter factories = new JsWriter();
  private final JsWriter constructor = new JsWriter();

  CodeScope scope() {
    return scope;
  }

  /** Returns the writer for the members of one kind. */
  JsWriter members(boolean isStatic, boolean isUnforgeable) {
    return isStatic ? statics : isUnforgeable ? unforgeables : members;
  }

  JsWriter constructor() {
    return constructor;
  }

  JsWriter factories() {
    return factories;
  }

  /** Returns the code, with further properties of the returned object. */
  String code(Map<String, ? extends @Nullable Object> data) {
    JsWriter out = new JsWriter();
    out.open("(function (library, record) {").line("'use strict';");
    scope.declare(out);
    out.open("return {").line("__proto__: null,");
    data.forEach((key, value) -> out.line(key + ": " + JsLiteral.of(value) + ","));
    out.lines(constructor);
    object(out, "factories", factories);
    object(out, "statics", statics);
    object(out, "unforgeables", unforgeables);
    object(out, "members", members);
    return out.close("};").close("})").toString();
  }

  private static void object(JsWriter out, String key, JsWriter properties) {
    if (properties.isEmpty()) {
      out.line(key + ": null,");
    } else {
      out.open(key + ": {").line("__proto__: null,").lines(properties).close("},");
    }
  }
}
