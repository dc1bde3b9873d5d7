package dev.weblocks.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.model.ConsoleMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The functions of {@code console}.
 *
 * @see <a href="https://console.spec.whatwg.org/">Console</a>
 */
class ConsoleTest {

  private static List<ConsoleMessage> messages(String script) {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(script).run();
      return scenario.messages();
    }
  }

  /** Returns level, severity and text of each message. */
  private static List<String> summary(String script) {
    return messages(script).stream()
        .map(message -> message.level() + " " + message.severity() + " " + message.text())
        .toList();
  }

  @Test
  void each_console_function_writes_with_its_own_level_and_severity() {
    assertEquals(
        List.of(
            "debug LOG 1",
            "log LOG 1",
            "info INFO 1",
            "warn WARN 1",
            "error ERROR 1",
            "dir LOG 1",
            "dirxml LOG 1",
            "assert ERROR Assertion failed",
            "count INFO default: 1",
            "countReset WARN Count for 'x' does not exist",
            "group LOG g",
            "groupCollapsed LOG   g"),
        summary(
            """
            for (const level of ['debug', 'log', 'info', 'warn', 'error', 'dir', 'dirxml']) console[level](1);
            console.assert(); console.count(); console.countReset('x'); console.group('g'); console.groupCollapsed('g');
            """));
  }

  @Test
  void logger_without_arguments_writes_nothing() {
    assertEquals(
        List.of(),
        summary("console.log(); console.error(); console.dirxml(); console.assert(true, 'x')"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'%s is %s', 'x', 1 | x is 1",
        "'%s', Symbol('d') | Symbol(d)",
        "'%s', {toString: () => 'own'} | own",
        "'%d %i', 42.9, '12px' | 42 12",
        "'%d %i %f', Symbol(), Symbol(), Symbol() | NaN NaN NaN",
        "'%f', '1.5x' | 1.5",
        "'%d', 5n | 5",
        "'%o', {a: [1]} | { a: [ 1 ] }",
        "'%o', 'text' | 'text'",
        "'%O', [1] | [ 1, [length]: 1 ]",
        "'a%cb', 'color: red', 'c' | ab c",
        "'%s', 'x', 'rest', {a: 1} | x rest { a: 1 }",
        "'%s %s', 'x' | x %s",
        "'%s %s', '%s', 'y' | %s y",
        "'100%% %s', 'sure' | 100% sure",
        "'%x %', 1 | %x % 1",
        "'%s' | %s",
        "'100%%' | 100%%",
        "1, '%s', 2 | 1 %s 2",
      })
  void formatter_replaces_format_specifiers(String arguments, String text) {
    assertEquals(List.of("log LOG " + text), summary("console.log(" + arguments + ")"));
  }

  @Test
  void formatter_rethrows_exceptions_of_conversions() {
    assertEquals(
        List.of("log LOG thrown"),
        summary(
            "try { console.log('%s', { toString() { throw 'thrown' } }) } catch (e) { console.log(e) }"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "false | Assertion failed",
        "undefined | Assertion failed",
        "0, 'm %s', 1 | Assertion failed: m 1",
        "'', {a: 1}, 2 | Assertion failed { a: 1 } 2",
        "null, Symbol('s') | Assertion failed Symbol(s)",
      })
  void assert_prints_its_arguments_when_it_fails(String arguments, String text) {
    assertEquals(List.of("assert ERROR " + text), summary("console.assert(" + arguments + ")"));
  }

  @Test
  void counts_are_kept_per_label_and_realm() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/worker.js", "console.count()")
          .window(
              """
              console.count(); console.count(undefined); console.count('a'); console.countReset(); console.count();
              new Worker('/worker.js');
              """)
          .run();
      assertEquals(
          List.of("default: 1", "default: 2", "a: 1", "default: 1", "default: 1"), scenario.log());
    }
  }

  @Test
  void timers_measure_virtual_time() {
    List<ConsoleMessage> messages =
        messages(
            """
            console.time('t');
            setTimeout(() => {
              console.timeLog('t', 'extra', { a: 1 });
              console.timeEnd('t');
              console.timeEnd('t');
              console.time();
              console.time();
            }, 20);
            """);
    assertTrue(
        messages.get(0).text().matches("t: 20\\.\\d{3} ms extra \\{ a: 1 }"), messages::toString);
    assertEquals("timeLog", messages.get(0).level());
    assertTrue(messages.get(1).text().matches("t: 20\\.\\d{3} ms"), messages::toString);
    assertEquals("timeEnd", messages.get(1).level());
    assertEquals("Timer 't' does not exist", messages.get(2).text());
    assertEquals("Timer 'default' already exists", messages.get(3).text());
    assertEquals("reportWarning", messages.get(3).level());
    assertEquals(ConsoleMessage.Severity.WARN, messages.get(3).severity());
  }

  @Test
  void groups_indent_each_line_of_the_text_but_not_the_arguments() {
    List<ConsoleMessage> messages =
        messages(
            """
            console.group('outer %d', 1);
            console.groupCollapsed();
            console.log('a\\nb', 1);
            console.groupEnd();
            console.log('c');
            console.groupEnd();
            console.groupEnd();
            console.log('d');
            """);
    assertEquals(
        List.of("outer 1", "  console.groupCollapsed", "    a\n    b 1", "  c", "d"),
        messages.stream().map(ConsoleMessage::text).toList());
    assertEquals(
        List.of(0, 1, 2, 1, 0), messages.stream().map(ConsoleMessage::groupDepth).toList());
    assertEquals(List.of("a\nb", "1"), messages.get(2).parts());
  }

  @Test
  void very_deep_groups_are_not_indented_further() {
    List<ConsoleMessage> messages =
        messages("for (let i = 0; i < 1000; i++) console.group('g'); console.log('x')");
    assertEquals(1000, messages.getLast().groupDepth());
    assertEquals(" ".repeat(40) + "x", messages.getLast().text());
  }

  @Test
  void clear_ends_all_groups() {
    assertEquals(
        List.of("group LOG g", "log LOG x"),
        summary("console.group('g'); console.clear(); console.log('x')"));
  }

  @Test
  void trace_shows_its_label_and_the_calling_functions_of_the_page() {
    List<ConsoleMessage> messages =
        messages(
            "Error.stackTraceLimit = 0; function inner() { console.trace('at %d', 3) } inner()");
    assertTrue(
        messages
            .getFirst()
            .text()
            .matches(
                """
                Trace: at 3
                    at inner \\(https://one.test/window-0.html:1:\\d+\\)
                    at https://one.test/window-0.html:1:\\d+\
                """),
        messages::toString);
    assertEquals("trace", messages.getFirst().level());
  }

  @Test
  void table_has_a_column_for_each_property() {
    assertEquals(
        List.of(
            """
            log LOG ┌─────────┬───┬─────┬──────────┬────────┐
            │ (index) │ a │ b   │ c        │ Values │
            ├─────────┼───┼─────┼──────────┼────────┤
            │ 0       │ 1 │ 'x' │          │        │
            │ 1       │ 2 │     │ { d: 1 } │        │
            │ 2       │   │     │          │ 5      │
            └─────────┴───┴─────┴──────────┴────────┘\
            """),
        summary("console.table([{ a: 1, b: 'x' }, { a: 2, c: { d: 1 } }, 5])"));
  }

  @Test
  void table_shows_the_requested_columns() {
    assertEquals(
        List.of(
            """
            log LOG ┌─────────┬───┬───┐
            │ (index) │ b │ q │
            ├─────────┼───┼───┤
            │ r       │ 2 │   │
            └─────────┴───┴───┘\
            """),
        summary("console.table({ r: { a: 1, b: 2 } }, ['b', 'q'])"));
  }

  @Test
  void table_of_a_map_has_a_column_for_its_keys() {
    assertEquals(
        List.of(
            """
            log LOG ┌───────────────────┬─────┬───┬────────┐
            │ (iteration index) │ Key │ v │ Values │
            ├───────────────────┼─────┼───┼────────┤
            │ 0                 │ 'k' │ 1 │        │
            │ 1                 │ 'l' │   │ 2      │
            └───────────────────┴─────┴───┴────────┘\
            """),
        summary("console.table(new Map([['k', { v: 1 }], ['l', 2]]))"));
  }

  @Test
  void table_shows_how_many_rows_are_omitted() {
    String text = messages("console.table(new Array(1500).fill(1))").getFirst().text();
    assertTrue(text.endsWith("\n... 500 more rows"), text.substring(text.length() - 100));
  }

  @Test
  void value_without_rows_is_logged_instead_of_a_table() {
    assertEquals(
        List.of("log LOG 5", "log LOG undefined", "log LOG [Proxy]", "log LOG {}"),
        summary(
            "console.table(5); console.table(); console.table(new Proxy([1], {})); console.table({})"));
  }

  @Test
  void dir_shows_hidden_properties_and_ignores_options() {
    assertEquals(
        List.of("dir LOG [ 1, [length]: 1 ]", "dir LOG 'text'"),
        summary("console.dir([1], { get depth() { throw 1 } }); console.dir('text')"));
  }

  @Test
  void console_has_its_own_empty_prototype_object() {
    assertEquals(
        "true 0 true",
        Scenario.logOf(
                """
                const proto = Object.getPrototypeOf(console);
                console.log(proto !== Object.prototype, Reflect.ownKeys(proto).length, Object.getPrototypeOf(proto) === Object.prototype);
                """)
            .getFirst());
  }
}
