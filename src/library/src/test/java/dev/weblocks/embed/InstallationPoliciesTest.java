package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.SandboxPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same script has the same effects in contexts of every policy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstallationPoliciesTest {

  private final List<UncaughtError> errors = new CopyOnWriteArrayList<>();

  private static Context.Builder builder() {
    return Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false");
  }

  private static Arguments policy(String name, Supplier<Context> make) {
    return Arguments.of(name, make);
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        policy("no option at all", () -> Context.newBuilder("js").build()),
        policy("a context by create()", () -> Context.create("js")),
        policy("all languages that there are", () -> Context.newBuilder().build()),
        policy("no host access", () -> builder().allowHostAccess(HostAccess.NONE).build()),
        policy(
            "explicit host access", () -> builder().allowHostAccess(HostAccess.EXPLICIT).build()),
        policy("all host access", () -> builder().allowHostAccess(HostAccess.ALL).build()),
        policy("scoped host access", () -> builder().allowHostAccess(HostAccess.SCOPED).build()),
        policy("all access", () -> builder().allowAllAccess(true).build()),
        policy("no value sharing", () -> builder().allowValueSharing(false).build()),
        policy(
            "constrained",
            () ->
                Context.newBuilder("js")
                    .sandbox(SandboxPolicy.CONSTRAINED)
                    .in(new ByteArrayInputStream(new byte[0]))
                    .out(new ByteArrayOutputStream())
                    .err(new ByteArrayOutputStream())
                    .build()),
        policy(
            "the options of our own contexts",
            () ->
                builder()
                    .allowHostAccess(
                        HostAccess.newBuilder(HostAccess.NONE).allowBufferAccess(true).build())
                    .allowValueSharing(false)
                    .option("js.ecmascript-version", "staging")
                    .option("js.unhandled-rejections", "handler")
                    .build()),
        policy(
            "less than the engine's default",
            () ->
                builder()
                    .allowExperimentalOptions(true)
                    .option("js.ecmascript-version", "2024")
                    .option("js.console", "false")
                    .option("js.load", "false")
                    .option("js.print", "false")
                    .option("js.graal-builtin", "false")
                    .option("js.shared-array-buffer", "false")
                    .option("js.disable-eval", "true")
                    .build()),
        policy("strict", () -> builder().option("js.strict", "true").build()));
  }

  private static final String SCRIPT =
      """
      var out = [];
      (async () => {
        await new Promise(done => setTimeout(done));
        out.push('timer');
        await navigator.locks.request('a', {mode: 'shared'}, async lock => {
          out.push(lock.name, lock.mode, (await navigator.locks.query()).held.length);
        });
        const controller = new AbortController();
        const held = navigator.locks.request('b', () => new Promise(() => {}));
        const waiting = navigator.locks.request('b', {signal: controller.signal}, () => {});
        setTimeout(() => controller.abort());
        await waiting.catch(e => out.push(e.name, e instanceof DOMException));
        const {port1, port2} = new MessageChannel();
        const message = new Promise(done => { port2.onmessage = e => done(e.data); });
        port1.postMessage({map: new Map([[1, new Error('cloned')]]), bytes: new Uint8Array([1, 255])});
        const data = await message;
        port1.close();
        out.push(data.map.get(1).message, data.map.get(1) instanceof Error, data.bytes[1]);
        out.push(new TextDecoder().decode(new TextEncoder().encode('h\\u00e9')), btoa('x'));
        out.push(await new Blob(['ab', new Uint8Array([99])]).text());
        out.push(Array.from(new Uint8Array(await new Blob(['\\u00ff']).arrayBuffer())).join());
        out.push(crypto.getRandomValues(new Uint8Array(3)).length, crypto.randomUUID().length);
        localStorage.clear();
        localStorage.k = 'v';
        out.push(localStorage.getItem('k'), Object.keys(localStorage).join());
        out.push(new URL('../b?c', 'https://one.test/a/').href);
        out.push([...new URLSearchParams('a=1&b=2').keys()].join());
        class Own extends EventTarget {}
        const own = new Own();
        own.addEventListener('x', e => out.push(e instanceof CustomEvent, e.detail));
        own.dispatchEvent(new CustomEvent('x', {detail: 7}));
        out.push(typeof java, typeof Java === 'undefined' ? 'no Java' : 'Java');
      })().catch(e => out.push('failed: ' + e + ' ' + e.stack));
      """;

  private static final String EXPECTED =
      "timer,a,shared,1,AbortError,true,cloned,true,255,h\u00e9,eA==,abc,195,191,3,36,v,k,"
          + "https://one.test/b?c,a,b,true,7,";

  @ParameterizedTest(name = "{0}")
  @MethodSource("policies")
  void same_script_has_the_same_effects_under_each_policy(String name, Supplier<Context> make)
      throws Exception {
    try (UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .errorListener(errors::add)
                .build();
        Context context = make.get()) {
      CallerDrivenInstallation installation = userAgent.installInto(context).install();
      context.eval("js", SCRIPT);
      String last = "";
      while (!last.contains("Java") && !last.contains("failed")) {
        installation.run(Duration.ofMillis(20));
        last = context.eval("js", "out.join()").asString();
      }
      assertTrue(last.startsWith(EXPECTED), last);
      assertEquals(List.of(), errors);
      installation.close();
      context.eval("js", "1");
    }
  }

  @Test
  void timers_evaluate_no_strings_if_the_context_forbids_it() {
    try (UserAgent userAgent =
            UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT).build();
        Context context =
            builder().allowExperimentalOptions(true).option("js.disable-eval", "true").build()) {
      CallerDrivenInstallation unused = userAgent.installInto(context).install();
      assertEquals(
          "TypeError",
          context.eval("js", "try { setTimeout('1') } catch (e) { e.name }").asString());
    }
  }

  @Test
  void contexts_may_share_an_engine() {
    try (Engine engine =
            Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
        UserAgent userAgent =
            UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT).build()) {
      for (int i = 0; i < 3; i++) {
        try (Context context = Context.newBuilder("js").engine(engine).build()) {
          CallerDrivenInstallation installation = userAgent.installInto(context).install();
          context.eval("js", "var out; navigator.locks.request('a', lock => { out = lock.name })");
          installation.runUntilIdle();
          assertEquals("a", context.eval("js", "out").asString());
          installation.close();
        }
      }
    }
  }
}
