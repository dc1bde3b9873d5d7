package dev.weblocks.binding;

import static dev.weblocks.binding.JsLiteral.key;
import static dev.weblocks.binding.JsLiteral.text;
import static dev.weblocks.binding.JsWriter.js;

import dev.weblocks.idl.Argument;
import dev.weblocks.idl.Definition;
import dev.weblocks.idl.ExtendedAttribute;
import dev.weblocks.idl.ExtendedAttributes;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.Member.Attribute;
import dev.weblocks.idl.MergedInterface;
import dev.weblocks.idl.MergedMember;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the code of attributes.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#js-attributes">Web IDL</a>
 */
final class AttributeCode {

  private final IdlModel model;
  private final ConversionCode conversions;
  private final CallableCode callables;
  private final MemberTable members;

  AttributeCode(
      IdlModel model, ConversionCode conversions, CallableCode callables, MemberTable members) {
    this.model = model;
    this.conversions = conversions;
    this.callables = callables;
    this.members = members;
  }

  /**
   * Writes the accessors of an attribute.
   *
   * @param owner the interface or namespace
   * @param self the interface; null for a static attribute
   * @param ofGlobal whether a global may be the receiver
   */
  void attribute(
      JsWriter out,
      CodeScope scope,
      String owner,
      @Nullable MergedInterface self,
      MergedMember merged,
      Attribute attribute,
      boolean ofGlobal) {
    String name = attribute.name();
    String prefix = self == null ? "static " : "";
    int get = members.idOf(owner, prefix + "get " + name, merged, 0, List.of());
    int set =
        attribute.readOnly()
            ? -1
            : members.idOf(owner, prefix + "set " + name, merged, 0, List.of(valueOf(attribute)));
    getter(out, scope, owner, self, attribute, get, ofGlobal);
    ExtendedAttributes extended = attribute.extendedAttributes();
    if (set >= 0
        || extended.has("Replaceable")
        || extended.has("PutForwards")
        || extended.has("LegacyLenientSetter")) {
      setter(out, scope, owner, self, attribute, set, ofGlobal);
    }
  }

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

  private void getter(
      JsWriter out,
      CodeScope scope,
      String owner,
      @Nullable MergedInterface self,
      Attribute attribute,
      int id,
      boolean ofGlobal) {
    boolean promise = model.resolve(attribute.type()).isPromiseType();
    String keep = promise ? "returned =" : "return";
    out.open(js("get %s() {", key(attribute.name())));
    if (promise) {
      out.line("let returned;").open("try {");
    }
    if (self == null) {
      out.line(js("%s %s(%s, null);", keep, scope.use("callGetter"), id));
    } else {
      receive(out, scope, self, attribute, label("read", owner, attribute), ofGlobal);
      out.line(js("%s %s(%s, impl);", keep, scope.use("callGetter"), id));
    }
    if (promise) {
      out.between("} catch (reason) {");
      out.line(js("returned = %s(reason);", scope.use("rejected")));
      out.close("}").line("return returned;");
    }
    out.close("},");
  }

  private void setter(
      JsWriter out,
      CodeScope scope,
      String owner,
      @Nullable MergedInterface self,
      Attribute attribute,
      int id,
      boolean ofGlobal) {
    String name = attribute.name();
    String label = label("set", owner, attribute);
    out.open(js("set %s(value) {", key(name)));
    if (self != null) {
      receive(out, scope, self, attribute, label, ofGlobal);
    }
    ExtendedAttribute putForwards = attribute.extendedAttributes().get("PutForwards");
    if (attribute.extendedAttributes().has("Replaceable")) {
      out.line(
          js(
              "%s(%s, %s, value, true, true, true);",
              scope.use("define"), CallableCode.object(scope, ofGlobal), text(name)));
    } else if (putForwards != null) {
      out.line(
          js(
              "%s(%s, %s, %s, value, %s);",
              scope.use("putForward"),
              CallableCode.object(scope, ofGlobal),
              text(name),
              text(putForwards.identifiers().getFirst()),
              text(label)));
    } else if (id >= 0) {
      convert(out, scope, attribute, text(label));
      out.line(
          js("%s(%s, %s, value);", scope.use("callSetter"), id, self == null ? "null" : "impl"));
    }
    out.close("},");
  }

  /**
   * Writes the conversion of a new value. Strings that are no value of an enumeration are ignored.
   */
  private void convert(JsWriter out, CodeScope scope, Attribute attribute, String where) {
    Definition.Enumeration enumeration = conversions.enumerationOf(attribute.type());
    if (enumeration == null) {
      conversions.convert(out, scope, attribute.type(), "value", where, null);
      return;
    }
    out.open("if (typeof value !== 'string') {").line("value = `${value}`;").close("}");
    out.open(js("if (!(value in %s)) {", conversions.values(scope, enumeration)));
    out.line("return;").close("}");
  }

  private static String label(String what, String owner, Attribute attribute) {
    return js(
        "Failed to %s the '%s' property %s '%s'",
        what, attribute.name(), what.equals("read") ? "from" : "on", owner);
  }

  /** Writes the check of {@code this}. */
  private void receive(
      JsWriter out,
      CodeScope scope,
      MergedInterface self,
      Attribute attribute,
      String label,
      boolean ofGlobal) {
    if (attribute.extendedAttributes().has("LegacyLenientThis")) {
      out.line(js("const impl = %s;", callables.implementing(scope, self, ofGlobal)));
      out.open("if (impl === undefined) {").line("return undefined;").close("}");
    } else {
      out.line(js("const impl = %s;", callables.receiver(scope, self, label, ofGlobal)));
    }
  }

  /** Writes the operation toJSON that collects attributes, those of the ancestors first. */
  void defaultToJson(
      JsWriter out,
      CodeScope scope,
      MergedInterface from,
      List<JsonAttribute> attributes,
      boolean ofGlobal) {
    String label = js("Failed to execute 'toJSON' on '%s'", from.name());
    out.open("toJSON() {");
    out.line(js("const impl = %s;", callables.receiver(scope, from, label, ofGlobal)));
    out.line("const json = {};");
    for (JsonAttribute each : attributes) {
      out.line(
          js(
              "%s(json, %s, %s(%s, impl), true, true, true);",
              scope.use("define"), text(each.name()), scope.use("callGetter"), each.get()));
    }
    out.line("return json;").close("},");
  }

  /** An attribute in the result of toJSON, and the number of its getter. */
  record JsonAttribute(String name, int get) {}
}
