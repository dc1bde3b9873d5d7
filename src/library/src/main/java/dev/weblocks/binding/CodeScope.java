package dev.weblocks.binding;

import static dev.weblocks.binding.JsWriter.js;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names that the generated code of one interface or namespace uses: functions and values of the
 * prelude's library, and converters that are compiled lazily.
 */
final class CodeScope {

  /** The members of the prelude's object {@code library}, in operations.js. */
  private static final Set<String> LIBRARY =
      Set.of(
          "apply",
          "callGetter",
          "callSetter",
          "converter",
          "define",
          "enums",
          "failure",
          "fillDictionary",
          "global",
          "implementing",
          "isBufferOf",
          "isObject",
          "iterator",
          "legacyObject",
          "missing",
          "newCapability",
          "newList",
          "newObject",
          "newValues",
          "notAFunction",
          "notAReceiver",
          "notOfType",
          "overloadFailed",
          "prepare",
          "prototypeFor",
          "putForward",
          "rejected",
          "seam",
          "stackOverflow",
          "takeFailure",
          "toBigint",
          "toByteString",
          "toClampedInteger",
          "toDictionary",
          "toDouble",
          "toEnum",
          "toFloat",
          "toInteger",
          "toIntegerInRange",
          "toObject",
          "toPromise",
          "toSymbol",
          "toUnrestrictedFloat",
          "toUSVString",
          "tooFewArguments");

  /** Other names that an argument must not have: reserved words, and variables of the code. */
  private static final Set<String> RESERVED =
      Set.of(
          ("arguments await break case catch class const continue debugger default delete do else"
                  + " enum eval export extends false finally for function if implements import in"
                  + " instanceof interface let new null package private protected public return"
                  + " static super switch this throw true try typeof undefined var void while with"
                  + " yield impl json library made method object offered overload reason record"
                  + " result returned values")
              .split(" "));

  private final Set<String> used = new TreeSet<>();
  private final Map<String, String> converters = new LinkedHashMap<>();

  /** Returns the name of a member of the library, and declares it in the generated code. */
  String use(String name) {
    if (!LIBRARY.contains(name)) {
      throw new IllegalArgumentException("the prelude's library has no '" + name + "'");
    }
    used.add(name);
    return name;
  }

  /** Returns an expression for the converter of a type, which is compiled at the first use. */
  String converter(Map<String, Object> type) {
    String literal = JsLiteral.of(type);
    String name = converters.computeIfAbsent(literal, any -> "convert" + converters.size());
    return js("(%s ??= %s(%s))", name, use("converter"), literal);
  }

  /** Returns a name for a variable: the given one, unless it has another meaning in the code. */
  static String variable(String name, Set<String> taken) {
    String free = name.replace('-', '_');
    while (LIBRARY.contains(free)
        || RESERVED.contains(free)
        || taken.contains(free)
        || (free.startsWith("convert") && !free.endsWith("_"))) {
      free += "_";
    }
    return free;
  }

  /** Writes the declarations of all names. */
  void declare(JsWriter out) {
    if (!used.isEmpty()) {
      out.line("const { " + String.join(", ", used) + " } = library;");
    }
    if (!converters.isEmpty()) {
      out.line("let " + String.join(", ", converters.values()) + ";");
    }
  }
}
