package dev.weblocks.binding;

import static dev.weblocks.binding.JsLiteral.text;
import static dev.weblocks.binding.JsWriter.js;

import dev.weblocks.idl.Argument;
import dev.weblocks.idl.DictionaryMember;
import dev.weblocks.idl.IdlLiteral;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.MergedDictionary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the conversion of the arguments of one overload, and of the call of the seam with
 * them.
 */
final class ArgumentCode {

  /** The number of members up to which a dictionary is taken apart in place. */
  private static final int MEMBERS_IN_PLACE = 8;

  /**
   * The call of the seam for a member.
   *
   * @param label the text that errors begin with
   * @param before a line before the call; null for none
   * @param self the expression for the second value of the seam
   * @param offers whether a promise is created for the result
   * @param after a line after the call, which uses {@code result}; null for none
   */
  record Call(
      String label, @Nullable String before, String self, boolean offers, @Nullable String after) {}

  private final ConversionCode conversions;
  private final CodeScope scope;
  private final JsWriter out;
  private final Call call;
  private final List<String> parameters;
  private final boolean inList;
  private final Set<String> taken;
  private final List<String> values = new ArrayList<>();
  private int converted;

  private ArgumentCode(
      ConversionCode conversions,
      CodeScope scope,
      JsWriter out,
      Call call,
      List<String> parameters,
      boolean inList) {
    this.conversions = conversions;
    this.scope = scope;
    this.out = out;
    this.call = call;
    this.parameters = parameters;
    this.inList = inList;
    this.taken = new HashSet<>(parameters);
  }

  /**
   * Begins the code for a call of one of several overloads.
   *
   * @param parameters the names of the formal parameters
   * @param overloads the arguments of each overload
   */
  static ArgumentCode begin(
      ConversionCode conversions,
      CodeScope scope,
      JsWriter out,
      Call call,
      List<String> parameters,
      List<List<Argument>> overloads) {
    boolean inList =
        overloads.stream()
            .flatMap(List::stream)
            .anyMatch(each -> each.variadic() || isLarge(conversions.dictionaryOf(each.type())));
    ArgumentCode code = new ArgumentCode(conversions, scope, out, call, parameters, inList);
    if (inList) {
      out.line(
          js(
              "const values = %s(%s);",
              scope.use("newValues"), call.before() == null ? call.self() : "undefined"));
      if (call.offers()) {
        code.offer();
        code.add("offered");
      }
    }
    return code;
  }

  /** Returns the code for one of the overloads that are still possible. */
  ArgumentCode branch() {
    ArgumentCode copy = new ArgumentCode(conversions, scope, out, call, parameters, inList);
    copy.taken.addAll(taken);
    copy.values.addAll(values);
    copy.converted = converted;
    return copy;
  }

  /** Writes the conversion of arguments whose types are the same in all overloads. */
  void convertUpTo(int end, List<Argument> arguments) {
    for (; converted < end; converted++) {
      Argument argument = arguments.get(Math.min(converted, arguments.size() - 1));
      convert(converted, argument, null);
    }
  }

  /**
   * Writes the conversion of the other arguments, and the call.
   *
   * @param id the number of the member
   * @param method the variable that has the @@iterator method of the next argument, if overload
   *     resolution has read it
   */
  void callWith(int id, List<Argument> arguments, @Nullable String method) {
    for (int i = converted; i < arguments.size() && !arguments.get(i).variadic(); i++) {
      convert(i, arguments.get(i), i == converted ? method : null);
    }
    if (!arguments.isEmpty() && arguments.getLast().variadic()) {
      variadic(arguments.getLast(), arguments.size() - 1, method);
    }
    call(id);
  }

  private static boolean isLarge(@Nullable MergedDictionary dictionary) {
    return dictionary != null && dictionary.allMembers().size() > MEMBERS_IN_PLACE;
  }

  private String where(int index, Argument argument) {
    return text(js("%s: parameter %s ('%s')", call.label(), index + 1, argument.name()));
  }

  /** Adds a converted value to those for the seam. */
  private void add(String value) {
    if (inList) {
      out.line(js("values[%s] = %s;", values.size() + 2, value));
    }
    values.add(value);
  }

  private void convert(int index, Argument argument, @Nullable String method) {
    String variable = parameters.get(index);
    String where = where(index, argument);
    MergedDictionary dictionary = conversions.dictionaryOf(argument.type());
    if (dictionary != null) {
      members(dictionary, variable, where);
      return;
    }
    if (argument.optional()) {
      optional(argument.type(), argument.defaultValue(), variable, where, method);
    } else {
      conversions.convert(out, scope, argument.type(), variable, where, method);
    }
    add(variable);
  }

  /** Writes the conversion of a value, or its default if it is undefined. */
  private void optional(
      IdlType type,
      @Nullable IdlLiteral value,
      String variable,
      String where,
      @Nullable String method) {
    JsWriter given = new JsWriter();
    conversions.convert(given, scope, type, variable, where, method);
    if (value == null) {
      if (!given.isEmpty()) {
        out.open(js("if (%s !== undefined) {", variable)).lines(given).close("}");
      }
      return;
    }
    String otherwise =
        switch (value) {
          case IdlLiteral.EmptySequenceLiteral empty -> scope.use("newList") + "()";
          case IdlLiteral.EmptyDictionaryLiteral empty ->
              conversions.expression(scope, type, "undefined", where, null);
          case IdlLiteral other -> JsLiteral.of(TypeTables.literal(other));
        };
    out.open(js("if (%s === undefined) {", variable));
    out.line(js("%s = %s;", variable, otherwise));
    if (!given.isEmpty()) {
      out.between("} else {").lines(given);
    }
    out.close("}");
  }

  /**
   * Writes the conversion of a dictionary, whose members become values for the seam.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#js-to-dictionary">Web IDL</a>
   */
  private void members(MergedDictionary dictionary, String variable, String where) {
    List<DictionaryMember> members = dictionary.allMembers();
    if (isLarge(dictionary)) {
      out.line(
          js(
              "%s(%s, %s, %s, values, %s);",
              scope.use("fillDictionary"),
              text(dictionary.name()),
              variable,
              where,
              values.size() + 2));
      members.forEach(member -> values.add(member.name()));
      return;
    }
    out.line(
        js(
            "%s = %s(%s, %s, %s);",
            variable, scope.use("toDictionary"), variable, text(dictionary.name()), where));
    for (DictionaryMember member : members) {
      String name = CodeScope.variable(member.name(), taken);
      taken.add(name);
      String owner = ownerOf(member, dictionary);
      String at =
          JsLiteral.of(
              js(
                  "%s: Failed to read the '%s' property from '%s'",
                  unquoted(where), member.name(), owner));
      out.line(js("let %s = %s%s;", name, variable, JsLiteral.member(member.name())));
      if (member.required()) {
        out.open(js("if (%s === undefined) {", name));
        out.line(js("throw %s(%s);", scope.use("missing"), at));
        out.close("}");
        conversions.convert(out, scope, member.type(), name, at, null);
      } else {
        optional(member.type(), member.defaultValue(), name, at, null);
      }
      add(name);
    }
  }

  private static String unquoted(String literal) {
    return literal.substring(1, literal.length() - 1);
  }

  private static String ownerOf(DictionaryMember member, MergedDictionary dictionary) {
    for (MergedDictionary at = dictionary; at != null; at = at.parent()) {
      if (at.ownMembers().contains(member)) {
        return at.name();
      }
    }
    throw new IllegalArgumentException(member.name() + " is no member of " + dictionary.name());
  }

  private void variadic(Argument argument, int index, @Nullable String method) {
    String item = CodeScope.variable(argument.name(), taken);
    int first = Math.max(index, converted);
    int shift = values.size() + 2 - first;
    out.open(js("for (let i = %s; i < arguments.length; i++) {", first));
    out.line(js("let %s = arguments[i];", item));
    conversions.convert(
        out,
        scope,
        argument.type(),
        item,
        where(index, argument),
        method == null || index > converted
            ? null
            : js("i === %s ? %s : undefined", first, method));
    out.line(js("values[i%s] = %s;", shift == 0 ? "" : " + " + shift, item));
    out.close("}");
  }

  private void offer() {
    out.line(js("const offered = %s();", scope.use("newCapability")));
  }

  private void call(int id) {
    if (call.before() != null) {
      out.line(call.before());
    }
    String arguments;
    if (inList) {
      out.line(js("values[0] = %s;", id));
      if (call.before() != null) {
        out.line(js("values[1] = %s;", call.self()));
      }
      arguments = scope.use("apply") + "(" + scope.use("seam") + ", undefined, values)";
    } else {
      if (call.offers()) {
        offer();
        values.addFirst("offered");
      }
      values.addFirst(call.self());
      values.addFirst(String.valueOf(id));
      arguments = scope.use("seam") + "(" + String.join(", ", values) + ")";
    }
    out.line("let result;");
    out.open("try {");
    out.line("result = " + arguments + ";");
    out.between("} catch {");
    out.line(js("throw %s();", scope.use("stackOverflow")));
    out.close("}");
    out.open(js("if (result === %s) {", scope.use("failure")));
    out.line(js("throw %s();", scope.use("takeFailure")));
    out.close("}");
    if (call.after() != null) {
      out.line(call.after());
    }
  }
}
