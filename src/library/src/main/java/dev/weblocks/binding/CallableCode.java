package dev.weblocks.binding;

import static dev.weblocks.binding.JsLiteral.key;
import static dev.weblocks.binding.JsLiteral.text;
import static dev.weblocks.binding.JsWriter.js;

import dev.weblocks.binding.ArgumentCode.Call;
import dev.weblocks.idl.Argument;
import dev.weblocks.idl.EffectiveOverloadSet;
import dev.weblocks.idl.ExtendedAttribute;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.LegacyFactoryFunction;
import dev.weblocks.idl.Member.Constructor;
import dev.weblocks.idl.Member.Operation;
import dev.weblocks.idl.MergedInterface;
import dev.weblocks.idl.MergedMember;
import dev.weblocks.idl.OperationGroup;
import dev.weblocks.idl.Overloads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the code of operations, constructors and legacy factory functions. The code refers
 * to Java code by its number in the {@link MemberTable}.
 */
final class CallableCode {

  private final IdlModel model;
  private final ConversionCode conversions;
  private final OverloadCode resolution;
  private final MemberTable members;

  CallableCode(IdlModel model, ConversionCode conversions, MemberTable members) {
    this.model = model;
    this.conversions = conversions;
    this.resolution = new OverloadCode(model, conversions);
    this.members = members;
  }

  /**
   * Writes a method for an operation.
   *
   * @param owner the interface or namespace
   * @param self the interface; null for a static operation
   * @param merged one of the overloads
   * @param ofGlobal whether a global may be the receiver
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-create-operation-function">Web IDL</a>
   */
  void operation(
      JsWriter out,
      CodeScope scope,
      String owner,
      @Nullable MergedInterface self,
      MergedMember merged,
      OperationGroup group,
      boolean ofGlobal) {
    String name = group.name();
    String key = (self == null ? "static " : "call ") + name;
    boolean offers = members.takesPromise(owner, key, merged);
    boolean promise = group.returnsPromise();
    boolean undefined =
        model.resolve(group.operations().getFirst().returnType()).withoutAnnotations()
            instanceof IdlType.UndefinedType;
    String label = label(name, owner);
    // no return inside of try: the engine throws an exception of Java for it
    String keep = promise ? "returned = " : "return ";
    String after =
        offers
            ? keep + "result === null ? offered.promise : result;"
            : undefined && !promise ? null : keep + "result;";
    Call call = new Call(label, null, self == null ? "null" : "impl", offers, after);
    List<String> parameters = parameters(group.overloads(), Operation::arguments);
    out.open(js("%s(%s) {", key(name), formal(parameters, group.overloads().length())));
    if (promise) {
      out.line("let returned;").open("try {");
    }
    if (self != null) {
      out.line("const impl = " + receiver(scope, self, label, ofGlobal) + ";");
    }
    overloads(
        out, scope, owner, key, merged, group.overloads(), Operation::arguments, call, parameters);
    if (promise) {
      out.between("} catch (reason) {");
      out.line(js("returned = %s(reason);", scope.use("rejected")));
      out.close("}").line("return returned;");
    }
    out.close("},");
  }

  private static String label(String operation, String owner) {
    return js("Failed to execute '%s' on '%s'", operation, owner);
  }

  /** Writes the method toString of an interface with a stringifier. */
  void stringifier(JsWriter out, CodeScope scope, MergedInterface from, boolean ofGlobal) {
    int id = members.idOf(from.name(), "call toString", null, 0, List.of());
    out.open("toString() {");
    out.line(
        js(
            "return %s(%s, %s);",
            scope.use("callGetter"),
            id,
            receiver(scope, from, label("toString", from.name()), ofGlobal)));
    out.close("},");
  }

  /**
   * Returns an expression for the implementation of {@code this}, which throws if it is another
   * object.
   */
  String receiver(CodeScope scope, MergedInterface from, String label, boolean ofGlobal) {
    return js(
        "%s ?? %s(%s, %s)",
        implementing(scope, from, ofGlobal),
        scope.use("notAReceiver"),
        text(from.name()),
        text(label));
  }

  /** Returns an expression for the implementation of {@code this}; undefined for other objects. */
  String implementing(CodeScope scope, MergedInterface from, boolean ofGlobal) {
    return conversions.implementing(scope, from, object(scope, ofGlobal));
  }

  /** Returns an expression for the value of {@code this}, or the global if it is missing. */
  static String object(CodeScope scope, boolean ofGlobal) {
    return ofGlobal ? "this ?? " + scope.use("global") : "this";
  }

  /** Writes a property whose value is the class of an interface with a constructor. */
  void constructor(JsWriter out, CodeScope scope, MergedInterface from, boolean isLegacy) {
    Overloads<Constructor> overloads = from.constructors();
    List<String> parameters = parameters(overloads, Constructor::arguments);
    out.open("ctor: {");
    // a derived class: any other constructor looks up the prototype before the conversions
    out.open(key(from.name()) + ": class extends null {");
    out.open(js("constructor(%s) {", formal(parameters, overloads.length())));
    overloads(
        out,
        scope,
        from.name(),
        "constructor",
        null,
        overloads,
        Constructor::arguments,
        construction(scope, from.name(), isLegacy, "new.target"),
        parameters);
    out.close("}").close("},").close("}" + JsLiteral.member(from.name()) + ",");
  }

  /** Writes a method that makes the object for a legacy factory function. */
  void factory(
      JsWriter out,
      CodeScope scope,
      MergedInterface from,
      LegacyFactoryFunction factory,
      boolean isLegacy) {
    Overloads<ExtendedAttribute.Value.NamedArgumentList> overloads = factory.overloads();
    Function<ExtendedAttribute.Value.NamedArgumentList, List<Argument>> argumentsOf =
        ExtendedAttribute.Value.NamedArgumentList::arguments;
    List<String> parameters = parameters(overloads, argumentsOf);
    out.open(js("%s(%s) {", key(factory.name()), formal(parameters, overloads.length())));
    overloads(
        out,
        scope,
        from.name(),
        "factory " + factory.name(),
        null,
        overloads,
        argumentsOf,
        construction(scope, factory.name(), isLegacy, "this"),
        parameters);
    out.close("},");
  }

  /**
   * Returns the call that makes the implementation of a new object.
   *
   * @param isLegacy whether the object has indexed or named properties
   */
  private static Call construction(
      CodeScope scope, String name, boolean isLegacy, String newTarget) {
    String label = js("Failed to construct '%s'", name);
    String proto = js("%s(record, %s)", scope.use("prototypeFor"), newTarget);
    String prepare = scope.use("prepare");
    return isLegacy
        ? new Call(
            label,
            js("const made = %s(record, %s);", scope.use("legacyObject"), proto),
            "made.proxy",
            false,
            js("return %s(made.proxy, record, (made.impl = result), made.target);", prepare))
        : new Call(
            label,
            js("const object = %s(record, %s);", scope.use("newObject"), proto),
            "object",
            false,
            js("return %s(object, record, result, object);", prepare));
  }

  /** Returns names for all arguments that may be declared, made of the names in each overload. */
  private static <C> List<String> parameters(
      Overloads<C> overloads, Function<C, List<Argument>> argumentsOf) {
    List<C> callables = overloads.callables();
    List<String> names = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < overloads.declaredMaxArgumentCount(); i++) {
      int at = i;
      List<Argument> arguments =
          callables.stream()
              .map(argumentsOf)
              .filter(each -> at < each.size())
              .map(each -> each.get(at))
              .toList();
      if (callables.size() == 1 && arguments.getFirst().variadic()) {
        break;
      }
      String name =
          arguments.stream()
              .map(Argument::name)
              .distinct()
              .reduce((one, other) ->
                  one + "Or" + other.substring(0, 1).toUpperCase(Locale.ROOT) + other.substring(1))
              .orElseThrow();
      names.add(CodeScope.variable(name, taken));
      taken.add(names.getLast());
    }
    return names;
  }

  /** Returns the formal parameters of a function with the given length. */
  private static String formal(List<String> parameters, int length) {
    List<String> formal = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      formal.add(i < length ? parameters.get(i) : parameters.get(i) + " = undefined");
    }
    return String.join(", ", formal);
  }

  private <C> void overloads(
      JsWriter out,
      CodeScope scope,
      String owner,
      String key,
      @Nullable MergedMember merged,
      Overloads<C> overloads,
      Function<C, List<Argument>> argumentsOf,
      Call call,
      List<String> parameters) {
    int length = overloads.length();
    if (length > 0) {
      out.open(js("if (arguments.length < %s) {", length));
      out.line(
          js(
              "throw %s(%s, %s, arguments.length);",
              scope.use("tooFewArguments"), text(call.label()), length));
      out.close("}");
    }
    List<Integer> ids = new ArrayList<>();
    List<List<Argument>> arguments = new ArrayList<>();
    for (C callable : overloads.callables()) {
      List<Argument> own = argumentsOf.apply(callable);
      ids.add(members.idOf(owner, key, merged, ids.size(), own));
      arguments.add(own);
    }
    if (ids.size() == 1) {
      ArgumentCode.begin(conversions, scope, out, call, parameters, arguments)
          .callWith(ids.getFirst(), arguments.getFirst(), null);
      return;
    }
    List<Candidates> groups = candidates(overloads);
    for (int i = 0; i < groups.size(); i++) {
      Candidates group = groups.get(i);
      String condition =
          i + 1 < groups.size() ? js("if (arguments.length <= %s) {", group.max()) : "{";
      if (i > 0) {
        out.between("} else " + condition);
      } else if (groups.size() > 1) {
        out.open(condition);
      }
      candidates(out, scope, call, parameters, group, ids, arguments);
    }
    if (groups.size() > 1) {
      out.close("}");
    }
  }

  /**
   * Overloads that may be called with the same numbers of arguments.
   *
   * @param overloads their indexes, in IDL order; empty if these numbers are an error
   * @param index the distinguishing argument index; -1 if there is only one
   * @param max the largest number of arguments
   */
  private record Candidates(List<Integer> overloads, int index, int max) {}

  /** Returns the candidates for all numbers of arguments, in ascending order. */
  private static <C> List<Candidates> candidates(Overloads<C> overloads) {
    // beyond the longest declaration only variadic overloads remain
    int max = overloads.declaredMaxArgumentCount() + (overloads.isVariadic() ? 1 : 0);
    EffectiveOverloadSet set = overloads.effectiveOverloadSet(max);
    List<Candidates> groups = new ArrayList<>();
    for (int count = overloads.length(); count <= max; count++) {
      List<Integer> of =
          set.withArgumentCount(count).stream().map(EffectiveOverloadSet.Item::callable).toList();
      int index = of.size() > 1 ? overloads.distinguishingArgumentIndex(count) : -1;
      Candidates group = new Candidates(of, index, count);
      if (!groups.isEmpty()
          && groups.getLast().overloads().equals(of)
          && groups.getLast().index() == index) {
        groups.removeLast();
      }
      groups.add(group);
    }
    return groups;
  }

  /** Writes the choice of an overload, the conversions and the call. */
  private void candidates(
      JsWriter out,
      CodeScope scope,
      Call call,
      List<String> parameters,
      Candidates group,
      List<Integer> ids,
      List<List<Argument>> all) {
    if (group.overloads().isEmpty()) {
      fail(out, scope, call);
      return;
    }
    List<List<Argument>> own = group.overloads().stream().map(all::get).toList();
    ArgumentCode code = ArgumentCode.begin(conversions, scope, out, call, parameters, own);
    if (own.size() == 1) {
      code.callWith(ids.get(group.overloads().getFirst()), own.getFirst(), null);
      return;
    }
    int index = group.index();
    String variable = parameters.get(index);
    code.convertUpTo(index, own.getFirst());
    OverloadCode.Choice choice = resolution.choice(scope, own, index, variable);
    if (choice.readsIterator()) {
      out.line("let method;");
    }
    Set<Integer> chosen = new LinkedHashSet<>();
    choice.cases().forEach(each -> chosen.add(each.overload()));
    boolean once = chosen.size() == choice.cases().size();
    if (!once) {
      StringBuilder overload = new StringBuilder("const overload = ");
      choice
          .cases()
          .forEach(each ->
              overload.append(
                  each.condition() == null
                      ? String.valueOf(each.overload())
                      : each.condition() + " ? " + each.overload() + " : "));
      if (choice.mayFail()) {
        overload.append("-1");
      }
      out.line(overload.append(';').toString());
    }
    List<Integer> order = new ArrayList<>(chosen);
    for (int i = 0; i < order.size(); i++) {
      int overload = order.get(i);
      String condition = once ? choice.cases().get(i).condition() : "overload === " + overload;
      boolean isElse = i > 0 && i == order.size() - 1 && !choice.mayFail();
      String opening = isElse || condition == null ? "{" : "if (" + condition + ") {";
      if (i == 0) {
        out.open(opening);
      } else {
        out.between("} else " + opening);
      }
      code.branch()
          .callWith(
              ids.get(group.overloads().get(overload)),
              own.get(overload),
              choice.readsIterator() ? "method" : null);
    }
    if (choice.mayFail()) {
      out.between("} else {");
      fail(out, scope, call);
    }
    out.close("}");
  }

  private static void fail(JsWriter out, CodeScope scope, Call call) {
    out.line(js("throw %s(%s);", scope.use("overloadFailed"), text(call.label())));
  }
}
