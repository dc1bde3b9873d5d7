package dev.weblocks.console;

import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.global.Reports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.graalvm.polyglot.Value;

/**
 * The {@code console} namespace object of one realm. Used on the event loop of its agent.
 *
 * @see <a href="https://console.spec.whatwg.org/">Console</a>
 */
final class Console {

  /** The maximum number of groups that indent a line, so that lines do not grow without bound. */
  private static final int MAX_INDENTED_GROUPS = 20;

  private final Realm realm;
  private final Inspector inspector;

  /** <a href="https://console.spec.whatwg.org/#count-map">count map</a> */
  private final Map<String, Long> countMap = new HashMap<>();

  /** <a href="https://console.spec.whatwg.org/#timer-table">timer table</a>, in nanoseconds */
  private final Map<String, Long> timerTable = new HashMap<>();

  /**
   * The size of the <a href="https://console.spec.whatwg.org/#concept-group-stack">group stack</a>,
   * whose items are not needed.
   */
  private int groupDepth;

  Console(Realm realm, Inspector inspector) {
    this.realm = realm;
    this.inspector = inspector;
  }

  private static Console of(Arguments args) {
    return args.realm().supplements().require(Console.class);
  }

  /** <a href="https://console.spec.whatwg.org/#assert">assert</a> */
  private void assertThat(boolean condition, List<Value> data) {
    // 1.
    if (condition) {
      return;
    }
    // 2.
    String message = "Assertion failed";
    // 4.2.
    Value concat = data.isEmpty() ? null : inspector.prefixed(message + ": ", data.getFirst());
    List<Object> args = new ArrayList<>(data);
    if (concat != null) {
      args.set(0, concat);
    } else {
      // 3. and 4.1.
      args.addFirst(message);
    }
    // 5.
    logger("assert", args);
  }

  /** <a href="https://console.spec.whatwg.org/#clear">clear</a> */
  private void clear() {
    // 1.
    groupDepth = 0;
    // 2.
    Reports.of(realm).consoleCleared(realm);
  }

  /** <a href="https://console.spec.whatwg.org/#table">table</a> */
  private void table(Value tabularData, Value properties) {
    TextTable table = inspector.table(tabularData, properties);
    if (table == null) {
      logger("log", List.of(tabularData));
    } else {
      printer("log", List.of(table.render()));
    }
  }

  /** <a href="https://console.spec.whatwg.org/#trace">trace</a> */
  private void trace(List<Value> data) {
    // 1.
    String stack = inspector.callStack();
    // 2.
    String label = data.isEmpty() ? "" : ": " + formatted(data);
    // 3.
    printer("trace", List.of("Trace" + label + (stack.isEmpty() ? "" : "\n" + stack)));
  }

  /** <a href="https://console.spec.whatwg.org/#dir">dir</a>; the options have no effect on text */
  private void dir(Value item) {
    // 1., 2.
    printer("dir", List.of(inspector.generic(item)));
  }

  /**
   * <a href="https://console.spec.whatwg.org/#dirxml">dirxml</a>; text has no tree representation,
   * so {@code dirxml} formats items as {@code log} does
   */
  private void dirxml(List<Value> data) {
    logger("dirxml", data);
  }

  /** <a href="https://console.spec.whatwg.org/#count">count</a> */
  private void count(String label) {
    // 1. to 3.
    long count = countMap.merge(label, 1L, Long::sum);
    // 4., 5.
    printer("count", List.of(label + ": " + count));
  }

  /** <a href="https://console.spec.whatwg.org/#countreset">countReset</a> */
  private void countReset(String label) {
    // 1., 2.
    if (countMap.replace(label, 0L) == null) {
      // 3.
      printer("countReset", List.of("Count for '" + label + "' does not exist"));
    }
  }

  /**
   * <a href="https://console.spec.whatwg.org/#group">group</a> and <a
   * href="https://console.spec.whatwg.org/#groupcollapsed">groupCollapsed</a>; groups are always
   * shown expanded
   */
  private void group(String logLevel, List<Value> data) {
    // 2., 3.
    String groupLabel = data.isEmpty() ? "console." + logLevel : formatted(data);
    // 5.
    printer(logLevel, List.of(groupLabel));
    // 6.
    groupDepth++;
  }

  /** <a href="https://console.spec.whatwg.org/#groupend">groupEnd</a> */
  private void groupEnd() {
    // 1.
    groupDepth = Math.max(0, groupDepth - 1);
  }

  /** <a href="https://console.spec.whatwg.org/#time">time</a> */
  private void time(String label) {
    // 1.
    if (timerTable.putIfAbsent(label, clock().nanoTime()) != null) {
      reportWarning("Timer '" + label + "' already exists");
    }
  }

  /** <a href="https://console.spec.whatwg.org/#timelog">timeLog</a> */
  private void timeLog(String label, List<Value> data) {
    // 1., 2.
    Long startTime = timerTable.get(label);
    if (startTime == null) {
      noTimer(label);
      return;
    }
    // 3. to 5.
    List<String> parts = new ArrayList<>();
    parts.add(label + ": " + duration(startTime));
    parts.addAll(inspector.texts(data));
    // 6.
    printer("timeLog", parts);
  }

  /** <a href="https://console.spec.whatwg.org/#timeend">timeEnd</a> */
  private void timeEnd(String label) {
    // 1. to 3.
    Long startTime = timerTable.remove(label);
    if (startTime == null) {
      noTimer(label);
      return;
    }
    // 4. to 6.
    printer("timeEnd", List.of(label + ": " + duration(startTime)));
  }

  private void noTimer(String label) {
    reportWarning("Timer '" + label + "' does not exist");
  }

  private Clock clock() {
    return realm.agent().clock();
  }

  private String duration(long startTime) {
    return String.format(Locale.ROOT, "%.3f ms", (clock().nanoTime() - startTime) / 1e6);
  }

  /** <a href="https://console.spec.whatwg.org/#logger">Logger</a> */
  private void logger(String logLevel, List<?> args) {
    // 1.
    if (args.isEmpty()) {
      return;
    }
    // 2. to 5.: the Formatter returns a single argument as it is
    printer(logLevel, inspector.texts(inspector.formatter(args)));
  }

  private String formatted(List<Value> data) {
    return String.join(" ", inspector.texts(inspector.formatter(data)));
  }

  /**
   * <a href="https://console.spec.whatwg.org/#reporting-warnings">report a warning to the
   * console</a>
   */
  private void reportWarning(String description) {
    // 1., 2.
    printer("reportWarning", List.of(description));
  }

  /** <a href="https://console.spec.whatwg.org/#printer">Printer</a> */
  private void printer(String logLevel, List<String> args) {
    String text = String.join(" ", args);
    int indentation = 2 * Math.min(groupDepth, MAX_INDENTED_GROUPS);
    if (indentation > 0) {
      String margin = " ".repeat(indentation);
      text = margin + text.replace("\n", "\n" + margin);
    }
    Reports.of(realm).consoleMessage(realm, logLevel, text, groupDepth, args);
  }

  private static List<Value> data(Arguments args, int from) {
    List<Value> data = new ArrayList<>();
    for (int i = 0; i < args.variadicCount(from); i++) {
      data.add(args.variadic(from, i));
    }
    return data;
  }

  private static void define(
      Implementations.Interface<PlatformObject> namespace,
      String operation,
      BiConsumer<Console, Arguments> steps) {
    namespace.staticOperation(
        operation,
        args -> {
          steps.accept(of(args), args);
          return null;
        });
  }

  static void define(Implementations implementations) {
    Implementations.Interface<PlatformObject> namespace =
        implementations.mixin("console", PlatformObject.class);
    for (String level : List.of("debug", "error", "info", "log", "warn")) {
      define(namespace, level, (console, args) -> console.logger(level, data(args, 0)));
    }
    define(namespace, "assert", (console, args) -> console.assertThat(args.bool(0), data(args, 1)));
    define(namespace, "clear", (console, args) -> console.clear());
    define(namespace, "table", (console, args) -> console.table(args.any(0), args.any(1)));
    define(namespace, "trace", (console, args) -> console.trace(data(args, 0)));
    define(namespace, "dir", (console, args) -> console.dir(args.any(0)));
    define(namespace, "dirxml", (console, args) -> console.dirxml(data(args, 0)));
    define(namespace, "count", (console, args) -> console.count(args.string(0)));
    define(namespace, "countReset", (console, args) -> console.countReset(args.string(0)));
    for (String level : List.of("group", "groupCollapsed")) {
      define(namespace, level, (console, args) -> console.group(level, data(args, 0)));
    }
    define(namespace, "groupEnd", (console, args) -> console.groupEnd());
    define(namespace, "time", (console, args) -> console.time(args.string(0)));
    define(namespace, "timeLog", (console, args) -> console.timeLog(args.string(0), data(args, 1)));
    define(namespace, "timeEnd", (console, args) -> console.timeEnd(args.string(0)));
  }
}
