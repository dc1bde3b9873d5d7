package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Modules that the embedder evaluates and that reject later. The engine throws their exceptions out
 * of whatever turn runs then; they are errors of script, and the turn goes on.
 */
class ModuleRejectionTest {

  @RegisterExtension final EmbedderContexts contexts = new EmbedderContexts();

  private final List<String> errors = new ArrayList<>();
  private final DeterministicDriver driver = Driver.deterministic(1);
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .errorListener(error ->
              errors.add(
                  "%s %s %s:%d"
                      .formatted(error.kind(), error.message(), error.url(), error.line())))
          .build();
  private Context context;
  private CallerDrivenInstallation installation;

  @BeforeEach
  void install() {
    context = contexts.open();
    installation = userAgent.installInto(context).install();
    eval(
        """
        globalThis.log = [];
        addEventListener('error', e => log.push(`${e.message} ${e.filename}:${e.lineno}`));
        addEventListener('unhandledrejection', e => log.push('unhandled ' + e.reason));
        """);
  }

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  private void eval(String code) {
    Value unused = context.eval("js", code);
  }

  private void evalModule(String code) throws Exception {
    Value unused =
        context.eval(
            Source.newBuilder("js", code, "m.mjs")
                .mimeType("application/javascript+module")
                .build());
  }

  private String log() {
    return context.eval("js", "log.join(', ')").asString();
  }

  private void run() throws InterruptedException {
    installation.run(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          await new Promise(r => setTimeout(r, 10)); throw new Error('late') | Error: late | 2
          await navigator.locks.request('a', () => { throw new RangeError('in') }) | RangeError: in | 2
          await new Promise(r => navigator.locks.request('a', r)); null.x | TypeError: Cannot read property 'x' of null | 2
          await new Promise(r => addEventListener('ping', r)); throw new Error('of event') | Error: of event | 2
          await new Promise(r => { const {port1, port2} = new MessageChannel(); port1.onmessage = r; port2.postMessage(1); }); missing | ReferenceError: missing is not defined | 2
          """)
  void rejection_is_an_error_of_the_module_with_its_position(String code, String message, int line)
      throws Exception {
    eval("setTimeout(() => dispatchEvent(new Event('ping')), 5)");
    evalModule("\n" + code);
    run();
    String reported = "Uncaught " + message + " m.mjs:" + line;
    assertEquals(List.of("SCRIPT " + reported), errors);
    assertEquals(reported, log());
    assertEquals(List.of(), userAgent.locks());
  }

  @Test
  void rejection_with_a_string_is_an_error_without_position() throws Exception {
    evalModule("await new Promise(r => setTimeout(r, 10)); throw 'text'");
    run();
    assertEquals(List.of("SCRIPT Uncaught text https://localhost/:0"), errors);
  }

  @Test
  void exception_of_the_host_in_a_module_is_an_error_of_script() throws Exception {
    context
        .getBindings("js")
        .putMember(
            "fail",
            (ProxyExecutable)
                none -> {
                  throw new IllegalArgumentException("of the host");
                });
    evalModule("await new Promise(r => setTimeout(r, 10)); fail()");
    run();
    assertEquals(1, errors.size());
    assertEquals(
        "SCRIPT Uncaught java.lang.IllegalArgumentException: of the host",
        errors.getFirst().replaceFirst(" [^ ]*$", ""));
  }

  @Test
  void steps_of_the_turn_that_a_rejection_leaves_continue() throws Exception {
    evalModule("await new Promise(r => { globalThis.reject = r; }); throw new Error('late')");
    eval(
        """
        addEventListener('ping', () => { log.push('first'); reject(); });
        addEventListener('ping', () => log.push('second'));
        setTimeout(() => dispatchEvent(new Event('ping')), 5);
        const channel = new BroadcastChannel('c');
        channel.addEventListener('message', () => { log.push('one'); reject(); });
        channel.addEventListener('message', () => log.push('two'));
        let ticks = 0;
        const interval = setInterval(() => {
          reject();
          log.push('tick');
          if (++ticks === 2) clearInterval(interval);
        }, 20);
        new BroadcastChannel('c').postMessage(1);
        """);
    run();
    assertEquals("one, two, Uncaught Error: late m.mjs:1, first, second, tick, tick", log());
  }

  @Test
  void two_rejections_in_one_turn_are_both_reported() throws Exception {
    evalModule("await new Promise(r => { globalThis.first = r; }); throw new Error('1')");
    evalModule("await new Promise(r => { globalThis.second = r; }); throw new Error('2')");
    eval("setTimeout(first); setTimeout(second);");
    eval("addEventListener('error', () => Promise.resolve().then(() => log.push('microtask')))");
    run();
    assertEquals(
        "Uncaught Error: 1 m.mjs:1, microtask, Uncaught Error: 2 m.mjs:1, microtask", log());
  }

  @Test
  void future_of_another_call_is_not_failed_by_a_rejection() throws Exception {
    evalModule("await new Promise(r => { globalThis.reject = r; }); throw new Error('late')");
    Value function = context.eval("js", "(async () => { reject(); return 'fine'; })");
    assertEquals("fine", installation.runUntil(installation.call(function, Value::asString)));
    run();
    assertEquals(List.of("SCRIPT Uncaught Error: late m.mjs:1"), errors);
  }

  @Test
  void locks_are_released_although_the_engine_drops_promise_jobs() throws Exception {
    evalModule("await new Promise(r => { globalThis.reject = r; }); throw new Error('late')");
    eval(
        """
        let release;
        navigator.locks.request('a', () => new Promise(r => { release = r; }))
          .then(() => log.push('released'));
        setTimeout(() => { reject(); Promise.resolve().then(release); }, 5);
        navigator.locks.request('a', () => log.push('next'));
        """);
    run();
    assertEquals("Uncaught Error: late m.mjs:1, next, released", log());
    assertEquals(List.of(), userAgent.locks());
  }

  @Test
  void exception_of_script_in_an_executed_command_has_its_position() throws Exception {
    installation.execute(
        () -> context.eval(Source.newBuilder("js", "\nnull.x", "command.js").buildLiteral()));
    run();
    assertEquals(
        List.of("SCRIPT Uncaught TypeError: Cannot read property 'x' of null command.js:2"),
        errors);
    assertNull(userAgent.locks().stream().findFirst().orElse(null));
  }
}
