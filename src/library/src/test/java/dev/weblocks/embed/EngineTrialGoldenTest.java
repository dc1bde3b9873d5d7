package dev.weblocks.embed;

import dev.weblocks.binding.Resources;
import dev.weblocks.testing.Golden;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stacks, messages and order of jobs as scripts see them, in windows and in contexts of the
 * embedder. {@code scripts/test --engines} runs it on each supported engine, with the same golden
 * files.
 */
class EngineTrialGoldenTest {

  private static final String TRIAL =
      Resources.text(EngineTrialGoldenTest.class, "engine-trial.js");

  /** The values of js.unhandled-rejections; empty for a context without the option. */
  private static final List<String> SETTINGS = List.of("", "none", "warn", "throw", "handler");

  private static void check(String name, List<String> lines) {
    Golden.check("dev/weblocks/embed/golden/engine-" + name + ".txt", String.join("\n", lines));
  }

  @Test
  void window_shows_the_same_stacks_messages_and_order_on_each_engine() {
    try (Scenario scenario = new Scenario(1)) {
      check(
          "window",
          scenario
              .resource("/trial.js", TRIAL)
              .resource("/", "<script src=/trial.js></script>")
              .open("/")
              .run());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "ALL"})
  void installation_shows_the_same_stacks_messages_and_order_on_each_engine(String access) {
    List<String> lines = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (UserAgent userAgent = newUserAgent(lines);
        Context context =
            Context.newBuilder("js")
                .out(out)
                .allowHostAccess(access.equals("ALL") ? HostAccess.ALL : HostAccess.NONE)
                .option("js.unhandled-rejections", "handler")
                .build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      context.eval(Source.newBuilder("js", TRIAL, "trial.js").buildLiteral());
      installation.runUntilIdle();
    }
    lines.add(out.toString(StandardCharsets.UTF_8));
    check("installation", lines);
  }

  @Test
  void unhandled_rejections_are_reported_the_same_on_each_engine() {
    List<String> lines = new ArrayList<>();
    for (String setting : SETTINGS) {
      lines.add(setting.isEmpty() ? "without the option" : setting);
      Context.Builder builder = Context.newBuilder("js").err(OutputStream.nullOutputStream());
      if (!setting.isEmpty()) {
        builder.option("js.unhandled-rejections", setting);
      }
      try (UserAgent userAgent = newUserAgent(lines);
          Context context = builder.build();
          CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
        Optional<InstalledGlobal> listener =
            installation.report().stream()
                .filter(global -> global.name().equals("onunhandledrejection"))
                .findFirst();
        lines.add("report: " + listener.map(global -> global.outcome() + " " + global.reason()));
        try {
          context.eval(
              Source.newBuilder("js", "Promise.reject(new RangeError('r'))", "r.js")
                  .buildLiteral());
          lines.add("returned");
        } catch (PolyglotException thrown) {
          lines.add("thrown: " + thrown.getMessage());
        }
        installation.runUntilIdle();
      }
    }
    check("rejections", lines);
  }

  @Test
  void two_installations_a_frame_and_workers_work_on_each_engine() throws Exception {
    List<String> lines = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (UserAgent userAgent = newUserAgent(lines);
        Context one = newContext(out);
        Context two = newContext(out);
        CallerDrivenInstallation first = userAgent.installInto(one).install();
        CallerDrivenInstallation second = userAgent.installInto(two).install()) {
      two.eval(
          "js",
          "navigator.locks.request('x', () => new Promise(r => globalThis.release = r));"
              + "const channel = new BroadcastChannel('b'); channel.onmessage = e => release(e.data)");
      second.runUntilIdle();
      one.eval(
          "js",
          """
          const channel = new BroadcastChannel('b');
          navigator.locks.request('x', {ifAvailable: true}, lock => console.log('while held: ' + lock));
          navigator.locks.request('x', lock => console.log('granted ' + lock.name));
          channel.postMessage({map: new Map([[1, new Date(0)]]), error: new TypeError('t')});
          """);
      first.runUntilIdle();
      second.runUntilIdle();
      first.runUntilIdle();
      Value sum = one.eval("js", "async x => { await null; return x + 1 }");
      lines.add(out.toString(StandardCharsets.UTF_8));
      lines.add("call: " + first.runUntil(first.call(sum, Value::asInt, 1)));
    }
    try (Scenario scenario = new Scenario(1)) {
      lines.addAll(
          scenario
              .resource(
                  "/frame.html",
                  "<script>navigator.locks.request('f', () => new Promise(() => {}))</script>")
              .resource(
                  "/worker.js",
                  "onmessage = e => navigator.locks.request('w', l => postMessage([l.name, e.data]))")
              .resource("/shared.js", "onconnect = e => e.ports[0].postMessage('shared')")
              .resource(
                  "/m.js",
                  "export default 'module'; export const url = import.meta.url; await null;")
              .resource(
                  "/module-worker.js", "import d, {url} from '/m.js'; postMessage(d + ' ' + url)")
              .resource("/throws.js", "export function f() { throw new Error('of a module') }; f()")
              .resource(
                  "/",
                  """
                  <iframe src=/frame.html></iframe>
                  <script>
                  const log = text => console.log(text);
                  const worker = new Worker('/worker.js');
                  worker.onmessage = e => log('worker ' + JSON.stringify(e.data));
                  worker.postMessage([1, {a: 'b'}]);
                  new SharedWorker('/shared.js').port.onmessage = e => log(e.data);
                  new Worker('/module-worker.js', {type: 'module'}).onmessage = e => log(e.data);
                  import('/m.js').then(m => log('imported ' + m.default));
                  import('/throws.js').catch(e => log(e.stack.replaceAll('\\n', ' | ')));
                  import('/none.js').catch(e => log(e.name + ': ' + e.message));
                  onload = () => navigator.locks.query().then(q => log('frame holds ' + q.held.map(h => h.name)));
                  addEventListener('unhandledrejection', e => { e.preventDefault(); log(e.type + ' ' + e.reason); });
                  Promise.reject(new Error('rejected'));
                  log(document.querySelectorAll('script').length + ' script');
                  </script>
                  """)
              .open("/")
              .run());
    }
    check("platform", lines);
  }

  private static Context newContext(OutputStream out) {
    return Context.newBuilder("js").out(out).option("js.unhandled-rejections", "handler").build();
  }

  private static UserAgent newUserAgent(List<String> lines) {
    return UserAgent.newBuilder()
        .environment(SharedEnvironment.ENVIRONMENT)
        .consoleListener(message -> lines.add(message.text()))
        .errorListener(error -> lines.add(error.kind() + " " + error.message() + " " + error.url()))
        .build();
  }
}
