package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.harness.wpt.Timers;
import dev.weblocks.model.UncaughtError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ByteArrayOutputStream screen =
      new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
          super.write(bytes, from, length);
          if (new String(bytes, from, length, StandardCharsets.UTF_8).contains("press Ctrl-C")) {
            Thread.ofPlatform().start(() -> terminal.get().raise(Terminal.Signal.INT));
          }
        }
      };
  private final Map<String, String> variables = new HashMap<>();
  private String input = "";
  private boolean inputIsTerminal;
  private boolean outputIsTerminal;

  /** The action of the timer or of Ctrl-C, run when a line that ends with "go" is printed. */
  private final AtomicReference<Runnable> onGo = new AtomicReference<>(() -> {});

  private Duration scheduled = Duration.ZERO;
  private boolean goIsInterrupt;
  private boolean nobodyListens;
  private Supplier<Environment> environments = Environment.newBuilder().warmUp(false)::build;

  private final AtomicReference<Terminal> terminal = new AtomicReference<>();

  private final class Watched extends PrintStream {
    Watched(OutputStream to) {
      super(to, true, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String text) {
      super.println(text);
      if (text.endsWith("go")) {
        onGo.get().run();
      }
    }
  }

  /** An error stream that runs {@link #onGo} at each message of a watchdog. */
  private final class Warned extends PrintStream {
    Warned(OutputStream to) {
      super(to, true, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String text) {
      super.println(text);
      if (text.contains("(--watchdog)")) {
        onGo.get().run();
      }
    }
  }

  private Timers.Timer schedule(Duration delay, Runnable action) {
    scheduled = delay;
    onGo.set(action);
    return () -> {};
  }

  private Runnable listen(Runnable action, CountDownLatch ended) {
    if (nobodyListens) {
      throw new IllegalStateException("nobody listens");
    }
    if (goIsInterrupt) {
      onGo.set(action);
    }
    return () -> {};
  }

  private int run(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "run";
    System.arraycopy(args, 0, all, 1, args.length);
    InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    return Main.run(
        new CliEnvironment(
            new Watched(out),
            new Warned(err),
            name -> null,
            variables::get,
            outputIsTerminal,
            (jobs, preloads, locks) -> {
              throw new AssertionError("no browser is needed");
            },
            Duration.ofMinutes(2)),
        new RunEnvironment(
            in,
            inputIsTerminal,
            dir,
            this::schedule,
            this::listen,
            () -> {
              DumbTerminal made =
                  new DumbTerminal("test", "dumb", in, screen, StandardCharsets.UTF_8);
              terminal.set(made);
              return made;
            },
            environments),
        all);
  }

  private void file(String name, String text) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Set<String> outLines() {
    return new TreeSet<>(Arrays.asList(out().split("\n")));
  }

  /** Asserts exit code 2, one line and nothing else. */
  private void assertFails(String line, String... args) {
    err.reset();
    assertEquals(2, run(args), this::err);
    assertEquals("weblocks: " + line + "\n", err());
    assertEquals("", out());
  }

  // ---- scripts ---------------------------------------------------------------------------------

  @Test
  void script_file_writes_to_standard_output_or_error_by_severity() throws IOException {
    file(
        "a.js",
        "console.log('one', {a: 1}); console.info('two'); console.debug('three');"
            + "console.warn('four'); console.error('five')");
    assertEquals(0, run("a.js"), this::err);
    assertEquals("one { a: 1 }\ntwo\nthree\n", out());
    assertEquals("four\nfive\n", err());
  }

  @Test
  void name_of_a_script_cannot_control_the_terminal_or_forge_a_line() throws IOException {
    file("a\nforged\u001b[2J.js", "console.log('said'); throw new Error('boom')");
    file("b.js", "");
    assertEquals(1, run("a\nforged\u001b[2J.js", "b.js"));
    String shown = out() + err();
    assertTrue(shown.contains("a\\nforgedU+001b[2J.js:1:"), shown);
    assertFalse(shown.contains("\nforged") || shown.contains("\u001b"), shown);
  }

  @Test
  void script_output_can_only_set_colours_on_a_terminal() throws IOException {
    file(
        "a.js",
        "console.log('\\x1b[31mred', '\\x1b]52;c;ZQ==\\x07');"
            + "console.table([{['\\x1bk']: 1}]); console.warn('\\r[other] forged');"
            + "setTimeout(() => { throw new Error('boom \\x1b[2J') });"
            + "setTimeout(() => { ({['f\\x9b']() { throw new Error('in') }})['f\\x9b']() });"
            + "eval('throw new Error(1)\\n//# sourceURL=evil\\x1b[2J.js')");
    assertEquals(1, run("a.js"), this::err);
    assertTrue(out().contains("\u001b[31mred \u001b]52;"), "raw in a file: " + out());
    outputIsTerminal = true;
    out.reset();
    err.reset();
    assertEquals(1, run("a.js"), this::err);
    String shown = out() + err();
    assertTrue(shown.startsWith("\u001b[31mred U+001b]52;c;ZQ==U+0007\u001b[0m\n"), shown);
    for (String part :
        List.of("U+001bk", "U+000d[other] forged", "boom U+001b[2J", "fU+009b", "evilU+001b[2J")) {
      assertTrue(shown.contains(part), part + " is not in " + shown);
    }
    assertFalse(
        shown.replaceAll("\u001b\\[[0-9;]*m", "").matches("(?s).*[\\p{Cntrl}&&[^\\n\\t]].*"),
        shown);
  }

  @Test
  void command_waits_for_timers_workers_messages_and_locks() throws IOException {
    file("w.js", "onmessage = e => navigator.locks.request('l', () => postMessage(e.data + 1))");
    file(
        "a.js",
        "const w = new Worker('w.js'); setTimeout(() => w.postMessage(1), 5);"
            + "w.onmessage = e => navigator.locks.request('l', () => console.log(e.data))");
    assertEquals(0, run("a.js"), this::err);
    assertEquals("2\n", out());
  }

  @Test
  void locks_follow_the_variants_given_as_options() throws IOException {
    file(
        "a.js",
        "navigator.locks.request('a', {reentrant: true}, () => navigator.locks.request('a', () =>"
            + " console.log('inner'))).then(() => console.log('settled'));"
            + "navigator.locks.request('b', () => console.log('inside')); console.log('after');");
    assertEquals(1, run("a.js"), this::err);
    assertEquals("after\ninside\n", out());
    assertTrue(err().contains("all agents are idle"), this::err);
    out.reset();
    err.reset();
    assertEquals(
        0,
        run("--variant", "reentrant", "--variant", "callback-inside-request", "a.js"),
        this::err);
    assertEquals("inner\ninside\nafter\nsettled\n", out());
    out.reset();
    assertEquals(0, run("--deterministic", "--variant=none", "-e", "console.log(1)"), this::err);
    assertEquals("1\n", out());
  }

  @Test
  void unknown_variant_is_refused_with_similar_names() {
    String help = " (weblocks run --help)";
    assertFails(
        "--variant: unknown variant 'reentrent'; did you mean reentrant?" + help,
        "--variant",
        "reentrent",
        "-e",
        "1");
    assertFails(
        "--variant: unknown variant 'zzz'; 'weblocks variants' lists them" + help,
        "--variant",
        "zzz",
        "-e",
        "1");
    assertFails(
        "--variant: the variants settle-before-grant and settle-at-once exclude each other; leave"
            + " one of them out"
            + help,
        "--variant",
        "node",
        "--variant",
        "settle-before-grant",
        "-e",
        "1");
  }

  @Test
  void code_given_on_the_command_line_runs() {
    assertEquals(0, run("-e", "console.log(location.origin)", "--eval", "console.log(2)"));
    assertEquals(Set.of("[[eval 1]] https://localhost", "[[eval 2]] 2"), outLines());
    assertEquals("", err());
  }

  @Test
  void standard_input_is_run_without_a_script_argument_or_for_a_dash() throws IOException {
    input = "console.log('from input')";
    assertEquals(0, run(), this::err);
    assertEquals("from input\n", out());
    file("a.js", "console.log('from file')");
    assertEquals(0, run("-", "a.js"), this::err);
    assertTrue(outLines().containsAll(Set.of("[[stdin]] from input", "[a.js] from file")));
  }

  @Test
  void each_script_is_an_agent_whose_output_lines_have_its_name() throws IOException {
    file(
        "send.js",
        "navigator.locks.request('ready', {ifAvailable: true}, () => {});"
            + "localStorage.setItem('k', 'v'); console.log('set\\nit');");
    file("sub/other.js", "console.log(location.pathname)");
    assertEquals(0, run("send.js", "sub/other.js"), this::err);
    assertEquals(Set.of("[send.js] set", "[send.js] it", "[sub/other.js] /sub/"), outLines());
  }

  @Test
  void option_agents_runs_each_script_in_several_agents() throws IOException {
    file(
        "a.js",
        "navigator.locks.request('n', () => {"
            + "const n = Number(localStorage.n ?? 0) + 1; localStorage.n = n; console.log(n); })");
    assertEquals(0, run("--agents", "3", "a.js"), this::err);
    assertEquals(
        Set.of("1", "2", "3"),
        new TreeSet<>(outLines().stream().map(line -> line.replaceFirst(".* ", "")).toList()));
    assertEquals(
        Set.of("[a.js#1]", "[a.js#2]", "[a.js#3]"),
        new TreeSet<>(outLines().stream().map(line -> line.replaceFirst(" .*", "")).toList()));
  }

  @Test
  void option_origin_sets_the_origin_of_the_scripts() {
    assertEquals(0, run("--origin", "HTTP://App.test:8080/", "-e", "console.log(origin)"));
    assertEquals("http://app.test:8080\n", out());
  }

  @Test
  void output_of_a_worker_is_prefixed_with_its_script_and_number() throws IOException {
    file("lib/w.js", "console.log('in worker')");
    file("a.js", "new Worker('lib/w.js')");
    assertEquals(0, run("a.js"), this::err);
    assertEquals("[lib/w.js#2] in worker\n", out());
  }

  // ---- modules and files -----------------------------------------------------------------------

  @Test
  void modules_import_relative_to_their_file_and_have_top_level_await() throws IOException {
    file("sub/lib/x.mjs", "export const x = 41;");
    file(
        "sub/m.mjs",
        "import { x } from './lib/x.mjs'; const { y } = await import('./lib/y.js');"
            + "console.log(x + y, typeof module)");
    file("sub/lib/y.js", "export const y = 1");
    assertEquals(0, run("sub/m.mjs"), this::err);
    assertEquals("42 undefined\n", out());
  }

  @Test
  void option_module_runs_all_scripts_as_modules() throws IOException {
    file("x.mjs", "export default 'default'");
    file("m.js", "import x from './x.mjs'; console.log(x)");
    assertEquals(0, run("--module", "m.js", "-e", "import x from './x.mjs'; console.log(x)"));
    assertEquals(Set.of("[[eval]] default", "[m.js] default"), outLines());
  }

  @Test
  void missing_module_is_an_error() throws IOException {
    file("m.mjs", "import './nope.mjs'");
    assertEquals(1, run("m.mjs"));
    assertTrue(
        err()
            .startsWith(
                "script failed to load: https://localhost/m.mjs: https://localhost/m.mjs:1 imports"
                    + " './nope.mjs', but https://localhost/nope.mjs was not found (status 404)\n"),
        err());
    assertTrue(
        err()
            .endsWith(
                "Uncaught TypeError: The script, or a module that it imports, was not loaded\n"),
        err());
  }

  @Test
  void files_outside_of_the_directory_are_not_served() throws IOException {
    file("secret.txt", "secret");
    file("app/public.txt", "public");
    Files.createSymbolicLink(dir.resolve("app/link.txt"), dir.resolve("secret.txt"));
    file(
        "app/a.js",
        "(async () => { for (const url of"
            + " ['public.txt', '../secret.txt', '/%2e%2e/secret.txt', '..%2fsecret.txt',"
            + " 'link.txt', 'file:///etc/passwd'])"
            + " try { const r = await fetch(url); console.log(r.status, await r.text()) }"
            + " catch (e) { console.log(e.name) } })()");
    assertEquals(0, run("app/a.js"), this::err);
    assertEquals(
        List.of("200 public", "404", "404", "404", "404", "TypeError"),
        out().lines().map(String::strip).toList());
    assertFalse(out().contains("secret"));
  }

  @Test
  void directories_of_all_scripts_are_served_but_no_other_directory() throws IOException {
    file("a/one.js", "fetch('../b/two.txt').then(r => r.text()).then(t => console.log(t))");
    file("b/two.js", "fetch('../c/no.txt').then(r => console.log(r.status))");
    file("b/two.txt", "two");
    file("c/no.txt", "no");
    assertEquals(0, run("a/one.js", "b/two.js"), this::err);
    assertEquals(Set.of("[a/one.js] two", "[b/two.js] 404"), outLines());
    assertEquals(
        "weblocks: refused https://localhost/c/no.txt: it is outside of the directories of the"
            + " scripts\n",
        err());
  }

  @Test
  void network_is_refused_unless_the_host_is_allowed() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
          exchange.close();
        });
    server.start();
    try {
      String host = "127.0.0.1:" + server.getAddress().getPort();
      String code =
          "fetch('http://"
              + host
              + "/').then(r => r.text()).then(console.log,"
              + " e => console.log(e.name))";
      assertEquals(0, run("-e", code), this::err);
      assertEquals("TypeError\n", out());
      assertEquals(
          "weblocks: refused http://" + host + "/: use --allow-net 127.0.0.1 to allow it\n", err());
      assertEquals(0, run("--allow-net", host, "-e", code));
      assertEquals("TypeError\nok\n", out());
    } finally {
      server.stop(0);
    }
  }

  // ---- errors ----------------------------------------------------------------------------------

  @Test
  void uncaught_error_shows_source_and_stack_and_other_scripts_continue() throws IOException {
    file(
        "sub/bad.js",
        "function f(x) {\n\treturn x.y.z;\n}\nsetTimeout(() => console.log(1), 5);\nf({});\n");
    assertEquals(1, run("sub/bad.js"));
    assertEquals(
        """
        Uncaught TypeError: Cannot read property 'z' of undefined
        sub/bad.js:2:9
            \treturn x.y.z;
            \t       ^
            at f (sub/bad.js:2:9)
            at sub/bad.js:5:1
        """,
        err());
    assertEquals("1\n", out());
  }

  @Test
  void unhandled_rejection_is_an_error() {
    assertEquals(1, run("-e", "Promise.reject(new RangeError('no'))"));
    assertEquals(
        """
        Uncaught (in promise) RangeError: no
        [eval]:1:16
            Promise.reject(new RangeError('no'))
                           ^
            at [eval]:1:16
        """,
        err());
  }

  @Test
  void syntax_error_shows_its_line_once() throws IOException {
    file("syntax.js", "let fine;\nlet a b;\n");
    assertEquals(1, run("syntax.js"));
    assertEquals(
        """
        Uncaught SyntaxError: Expected ; but found b
        syntax.js:2:7
            let a b;
                  ^
        """,
        err());
  }

  @Test
  void error_message_names_the_agent_if_there_are_several() throws IOException {
    file("bad.js", "throw new Error('no')");
    assertEquals(1, run("--agents", "2", "bad.js"));
    assertTrue(err().contains("[bad.js#1] Uncaught Error: no\nbad.js:1:7\n"), err());
    assertTrue(err().contains("[bad.js#2] Uncaught Error: no\nbad.js:1:7\n"), err());
  }

  // ---- the end ---------------------------------------------------------------------------------

  @Test
  void deadlock_ends_a_run_and_prints_the_lock_table_and_cycle() throws IOException {
    String script =
        """
        navigator.locks.request('%s', async () => {
          const seen = new Promise(r => new BroadcastChannel('%s').onmessage = r);
          const tell = setInterval(() => new BroadcastChannel('%s').postMessage(0), 1);
          await seen;
          clearInterval(tell);
          new BroadcastChannel('%s').postMessage(0);
          await navigator.locks.request('%s', () => {});
        });
        """;
    file("a.js", script.formatted("a", "a", "b", "b", "b"));
    file("b.js", script.formatted("b", "b", "a", "a", "a"));
    assertEquals(1, run("a.js", "b.js"));
    List<String> lines = err().lines().map(line -> line.replaceAll("\\d+\\.\\d s", "T")).toList();
    assertEquals(
        "weblocks: all agents are idle, but lock requests are still pending", lines.getFirst());
    assertEquals(
        "NAME MODE STATE HOLDER/WAITER SINCE POSITION", lines.get(1).replaceAll(" +", " "));
    Set<String> rows =
        new TreeSet<>(
            lines.subList(2, 6).stream().map(line -> line.replaceAll(" +", " ")).toList());
    assertEquals(
        Set.of(
            "a exclusive held a.js T a.js:1:1",
            "a exclusive waits, next b.js T b.js:7:9",
            "b exclusive held b.js T b.js:1:1",
            "b exclusive waits, next a.js T a.js:7:9"),
        rows);
    assertEquals(
        Set.of("a.js waits for b.js (lock b)", "b.js waits for a.js (lock a)"),
        new TreeSet<>(lines.subList(6, 8)));
    assertTrue(
        lines.getLast().equals("deadlock: a.js waits for b.js, which waits for a.js")
            || lines.getLast().equals("deadlock: b.js waits for a.js, which waits for b.js"),
        lines::toString);
    assertEquals(9, lines.size());
  }

  @Test
  void lock_held_forever_is_shown_but_is_no_failure() {
    assertEquals(0, run("-e", "navigator.locks.request('mine', () => new Promise(() => {}))"));
    assertTrue(
        err().startsWith("weblocks: all agents are idle, but locks are still held\nNAME"), err());
    assertTrue(err().contains("mine  exclusive  held   [eval]"), err());
  }

  @Test
  void timeout_ends_a_run_and_prints_the_locks() {
    String code = "navigator.locks.request('busy', () => { console.log('go'); for (;;) {} });";
    assertEquals(1, run("--timeout", "1.5m", "-e", code));
    assertEquals(Duration.ofSeconds(90), scheduled);
    assertTrue(
        err()
            .startsWith(
                "weblocks: still running after 1.5m of real time (--timeout); locks:\nNAME"),
        err());
    assertTrue(err().contains("busy  exclusive  held"), err());
    assertFalse(err().contains("deadlock"), err());
  }

  @Test
  void turn_limit_ends_a_looping_agent_and_passes_on_its_lock() throws IOException {
    file("loops.js", "navigator.locks.request('a', () => { console.log('loops'); for (;;) {} });");
    file("waits.js", "navigator.locks.request('a', () => console.log('granted'));");
    assertEquals(1, run("--turn-limit", "2s", "loops.js", "waits.js"));
    assertTrue(out().contains("granted"), out());
    assertTrue(err().contains("[loops.js] a task takes longer than the limit of 2000 ms"), err());
    assertFalse(err().contains("at dev.weblocks"), err());
  }

  @Test
  void timeout_without_locks_reports_that_no_lock_is_held() {
    assertEquals(1, run("--timeout", "10s", "-e", "setInterval(() => {}, 1); console.log('go')"));
    assertEquals(
        "weblocks: still running after 10s of real time (--timeout); no lock is held or waited for\n",
        err());
  }

  @Test
  void interrupt_ends_a_run_with_status_130_and_prints_the_locks() {
    goIsInterrupt = true;
    String code =
        "navigator.locks.request('l', () => new Promise(() => {}));"
            + "navigator.locks.request('l', () => {}); setInterval(() => {}, 1);"
            + "navigator.locks.query().then(() => console.log('go'))";
    assertEquals(130, run("-e", code));
    assertTrue(err().startsWith("weblocks: interrupted; locks:\nNAME"), err());
    assertTrue(err().contains("[eval] waits for itself (lock l)\n"), err());
    assertTrue(err().endsWith("cycle: [eval] waits for itself\n"), err());
  }

  // ---- bad input -------------------------------------------------------------------------------

  // ---- deterministic runs ----------------------------------------------------------------------

  private String deterministic(String seed, String trace) throws IOException {
    out.reset();
    int status =
        run("--deterministic", "--seed", seed, "--agents", "4", "--trace", trace, "order.js");
    assertEquals(0, status, this::err);
    return out();
  }

  @Test
  void same_seed_gives_the_same_order_and_trace_unlike_other_seeds() throws IOException {
    file("order.js", "navigator.locks.request('l', lock => console.log(crypto.randomUUID()))");
    String first = deterministic("5", "1.jsonl");
    assertEquals(first, deterministic("5", "2.jsonl"));
    assertEquals(
        Files.readString(dir.resolve("1.jsonl")), Files.readString(dir.resolve("2.jsonl")));
    Set<String> orders = new TreeSet<>();
    for (int seed = 0; seed < 8; seed++) {
      orders.add(deterministic("" + seed, "3.jsonl").replaceAll("\\] .*", "]"));
    }
    assertTrue(orders.size() > 1, orders::toString);
  }

  @Test
  void deterministic_time_jumps_to_the_next_timer() {
    String code =
        "const begin = performance.now();"
            + "setTimeout(() => console.log(performance.now() - begin >= 864e5), 864e5)";
    assertEquals(0, run("--deterministic", "-e", code), this::err);
    assertEquals("true\n", out());
  }

  @Test
  void deterministic_run_that_never_becomes_idle_ends_by_its_timeout() {
    String code =
        "navigator.locks.request('l', () => new Promise(() => {}));"
            + "let n = 0; setInterval(() => { if (n++ == 9) console.log('go') }, 1)";
    assertEquals(1, run("--deterministic", "--timeout", "10s", "-e", code));
    assertTrue(
        err()
            .startsWith(
                "weblocks: still running after 10s of virtual time (--timeout); locks:\nNAME"),
        err());
  }

  @Test
  void hidden_windows_see_both_changes_before_the_run_ends() {
    String code =
        "const show = () => console.log(document.visibilityState, Math.floor(Date.now() / 1000));"
            + "show(); document.onvisibilitychange = show";
    String[] start = {"--deterministic", "--start-time", "1970-01-01T00:00:00Z", "--hidden"};
    List<String> option = List.of("5s..10s", "5s..", "..10s");
    List<String> expected =
        List.of("visible 0 hidden 5 visible 10", "visible 0 hidden 5", "hidden 0 visible 10");
    for (int i = 0; i < option.size(); i++) {
      out.reset();
      List<String> arguments = new ArrayList<>(List.of(start));
      arguments.addAll(List.of(option.get(i), "-e", code));
      assertEquals(0, run(arguments.toArray(String[]::new)), this::err);
      assertEquals(expected.get(i), out().strip().replace('\n', ' '));
    }
    out.reset();
    String until = "const look = () => document.hidden ? console.log('hidden') : setTimeout(look);";
    assertEquals(0, run("--hidden", "1ms..", "-e", until + "look()"), this::err);
    assertEquals("hidden\n", out());
  }

  @Test
  void endless_deterministic_step_is_reported_after_the_timeout_in_real_time() {
    String code = "for (let i = 0; i < 9; i++) console.log('go'); while (true);";
    assertEquals(1, run("--deterministic", "--timeout", "10s", "-e", code));
    assertEquals(
        "weblocks: a step has not ended within 10s of real time (--timeout); no lock is held or"
            + " waited for\n",
        err());
  }

  @Test
  void first_step_has_five_seconds_despite_a_shorter_timeout() {
    String code = "for (let i = 0; i < 9; i++) console.log('go'); while (true);";
    assertEquals(1, run("--deterministic", "--timeout", "20ms", "-e", code));
    assertEquals(Duration.ofSeconds(5), scheduled);
    assertEquals(
        "weblocks: a step has not ended within 5 s of real time (--timeout); no lock is held or"
            + " waited for\n",
        err());
  }

  @Test
  void deterministic_time_starts_at_the_given_time() {
    String code = "console.log(new Date().toISOString().slice(0, 19))";
    assertEquals(0, run("--deterministic", "-e", code), this::err);
    assertEquals("2025-09-24T00:00:00\n", out());
    out.reset();
    assertEquals(
        0, run("--deterministic", "--start-time", "2031-01-31T23:59:59Z", "-e", code), this::err);
    assertEquals("2031-01-31T23:59:59\n", out());
  }

  @Test
  void deterministic_run_waits_until_files_are_read() throws IOException {
    file("data.txt", "from a file");
    file("main.mjs", "import text from './part.mjs'; console.log(text);");
    file("part.mjs", "export default await (await fetch('data.txt')).text();");
    for (int seed = 1; seed <= 3; seed++) {
      out.reset();
      assertEquals(0, run("--deterministic", "--seed", "" + seed, "main.mjs"), this::err);
      assertEquals("from a file\n", out());
    }
  }

  private static final String RACE =
      """
      navigator.locks.request('l', async () => {
        const n = Number(localStorage.n ?? 0);
        await new Promise(r => setTimeout(r, Math.random() * 5));
        localStorage.n = n + 1;
        console.log(localStorage.n, Date.now(), crypto.randomUUID());
      });
      """;

  @Test
  void option_check_deterministic_reports_equal_runs() throws IOException {
    file("race.js", RACE);
    List<String> said = new ArrayList<>();
    for (String seed : List.of("1", "1", "2")) {
      out.reset();
      assertEquals(
          0,
          run(
              "--deterministic",
              "--seed",
              seed,
              "--agents",
              "3",
              "--check-deterministic",
              "5",
              "race.js"),
          this::err);
      assertTrue(out().startsWith("5 runs of seed " + seed + " were the same: "), this::out);
      said.add(out().replaceFirst("seed \\d", "seed"));
    }
    assertEquals(said.get(0), said.get(1));
    assertFalse(said.get(0).equals(said.get(2)), said::toString);
    assertEquals("", err());
  }

  @Test
  void option_check_deterministic_treats_runs_with_equal_failures_as_equal() {
    String code =
        "navigator.locks.request('l', () => navigator.locks.request('l', () => {}));"
            + " throw new Error('x')";
    assertEquals(0, run("--deterministic", "--check-deterministic", "2", "-e", code), this::err);
    assertTrue(out().startsWith("2 runs of seed 1 were the same: "), this::out);
  }

  @Test
  void request_that_waits_long_is_reported_and_the_run_continues() throws IOException {
    file(
        "holds.js",
        "navigator.locks.request('l', () => new Promise(r => setTimeout(r, 20_000)))"
            + ".then(() => console.log('given back'))");
    file("waits.js", "setTimeout(() => navigator.locks.request('l', () => {}), 1000)");
    assertEquals(0, run("--deterministic", "--watchdog", "5s", "holds.js", "waits.js"), this::err);
    assertEquals("[holds.js] given back\n", out());
    assertEquals(
        """
        weblocks: waits.js has waited 5.0 s of virtual time for lock l, at waits.js:1:18 (--watchdog)
        NAME  MODE       STATE        HOLDER/WAITER  SINCE  POSITION
        l     exclusive  held         holds.js       6.0 s  holds.js:1:1
        l     exclusive  waits, next  waits.js       5.0 s  waits.js:1:18
        waits.js waits for holds.js (lock l)
        """,
        err());
  }

  @Test
  void watchdog_reports_waits_in_a_run_in_real_time() {
    String code =
        "navigator.locks.request('l', () => new Promise(() => {}));"
            + "navigator.locks.request('l', () => {}); setInterval(() => {}, 1)";
    assertEquals(1, run("--watchdog", "1ms", "--timeout", "10s", "-e", code));
    assertTrue(err().contains("[eval] waits for itself (lock l)\ncycle: [eval] waits"), err());
    assertTrue(err().contains(" s of real time for lock l, at "), err());
  }

  @Test
  void watchdog_reports_waits_for_locks_of_the_early_draft() {
    String code =
        "navigator.locks.acquire('l', () => new Promise(r => setTimeout(r, 20_000)));"
            + "navigator.locks.acquire('l', () => {})";
    assertEquals(
        0,
        run("--deterministic", "--variant", "early-draft", "--watchdog", "5s", "-e", code),
        this::err);
    assertTrue(
        err().startsWith("weblocks: [eval] has waited 5.0 s of virtual time for lock l, at "),
        this::err);
  }

  /** Code whose watchdog message makes the test throw an OutOfMemoryError. */
  private static final String CODE_THAT_GETS_NO_MEMORY =
      "navigator.locks.request('l', () => new Promise(() => {}));"
          + "navigator.locks.request('l', () => {}); setTimeout(() => {}, 10_000)";

  private void thereIsNoMemory() {
    onGo.set(() -> {
      throw new OutOfMemoryError("Java heap space");
    });
  }

  @Test
  void out_of_memory_ends_the_run_with_one_line() {
    for (boolean deterministic : new boolean[] {false, true}) {
      err.reset();
      thereIsNoMemory();
      List<String> args = new ArrayList<>(List.of("--watchdog", "1ms", "--agents", "2"));
      if (deterministic) {
        args.add("--deterministic");
      }
      args.addAll(List.of("-e", CODE_THAT_GETS_NO_MEMORY));
      assertEquals(2, run(args.toArray(String[]::new)), this::err);
      List<String> told = err().lines().filter(line -> line.contains("memory")).toList();
      assertEquals(1, told.size(), this::err);
      assertTrue(told.getFirst().startsWith("weblocks: out of memory: 2 agents do not"), this::err);
      assertFalse(err().contains("internal error"), this::err);
      assertFalse(err().contains("Java heap space"), this::err);
      assertEquals("", out());
    }
  }

  @Test
  void out_of_memory_is_reported_with_a_hint() {
    assertTrue(
        Ending.outOfMemory(1)
            .matches(
                "out of memory: one agent does not fit into a heap of [0-9]+ MB; raise it, as with"
                    + " WEBLOCKS_JVM=-Xmx[0-9]+m"),
        Ending.outOfMemory(1));
    assertTrue(
        Ending.outOfMemory(3000)
            .matches("out of memory: 3000 agents do not fit .*m, or run fewer agents"),
        Ending.outOfMemory(3000));
  }

  @Test
  void environment_is_closed_when_a_run_fails_to_start() {
    Environment environment = Environment.newBuilder().warmUp(false).build();
    assertTrue(isOpen(environment));
    environments = () -> environment;
    nobodyListens = true;
    assertEquals(2, run("-e", "1"), this::err);
    assertTrue(
        err().contains("internal error: java.lang.IllegalStateException: nobody listens"),
        this::err);
    assertFalse(isOpen(environment));
  }

  private static boolean isOpen(Environment environment) {
    List<UncaughtError> errors = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .errorListener(errors::add)
                .build()) {
      Window unused = userAgent.open("about:blank");
      driver.runUntilIdle(100_000);
    } catch (IllegalStateException closed) {
      return false;
    }
    return errors.isEmpty();
  }

  @Test
  void deadlock_in_a_deterministic_run_is_reported() {
    String code = "navigator.locks.request('l', () => navigator.locks.request('l', () => {}))";
    assertEquals(1, run("--deterministic", "-e", code));
    assertTrue(err().endsWith("deadlock: [eval] waits for itself\n"), err());
  }

  @Test
  void trace_has_a_line_per_step_even_if_the_run_is_interrupted() throws IOException {
    file("a.js", "navigator.locks.request('l', () => { console.log('go'); while (true); })");
    goIsInterrupt = true;
    assertEquals(130, run("--trace", "steps.jsonl", "a.js"));
    List<String> lines = Files.readAllLines(dir.resolve("steps.jsonl"));
    for (int i = 0; i < lines.size(); i++) {
      JsonNode step = new ObjectMapper().readTree(lines.get(i));
      assertEquals(i + 1, step.get("step").asInt());
      assertTrue(step.get("kind").asText().matches("[a-z_]+"), lines.get(i));
      assertFalse(step.get("actor").asText().isEmpty(), lines.get(i));
    }
    assertTrue(lines.stream().anyMatch(line -> line.contains("\"lock_step\"")), lines::toString);
    try (Stream<Path> files = Files.list(dir)) {
      assertEquals(2, files.count()); // and no other file
    }
  }

  private JsonNode page(String file) throws IOException {
    String page = Files.readString(dir.resolve(file));
    assertTrue(page.startsWith("<!doctype html>"), page);
    return new ObjectMapper()
        .readTree(page.replaceAll("(?s).*class=\"recording\">(.*?)</script>.*", "$1"));
  }

  @Test
  void trace_format_follows_the_file_name_or_the_option() throws IOException {
    file("a.js", "navigator.locks.request('l', () => {})");
    assertEquals(0, run("--trace", "steps.json", "a.js"), this::err);
    JsonNode perfetto = new ObjectMapper().readTree(dir.resolve("steps.json").toFile());
    assertTrue(perfetto.get("traceEvents").size() > 20, perfetto::toString);

    assertEquals(0, run("--trace", "steps.html", "a.js"), this::err);
    assertEquals("l", page("steps.html").get("locks").get(0).get("name").asText());

    assertEquals(0, run("--trace", "other.html", "--trace-format", "jsonl", "a.js"), this::err);
    assertTrue(Files.readString(dir.resolve("other.html")).startsWith("{\"recording\":\"a.js\""));
    assertEquals(0, run("--trace", "steps", "--trace-format", "html", "a.js"), this::err);
    assertEquals("a.js", page("steps").get("title").asText());
  }

  @Test
  void trace_page_has_agent_display_names_and_positions_in_the_users_files() throws IOException {
    file("lib/b.js", "navigator.locks.request('l', () => {})");
    file("a.js", "navigator.locks.request('l', () => {}); new Worker('lib/b.js')");
    assertEquals(
        0,
        run("--deterministic", "--seed", "3", "--agents", "2", "--trace", "p.html", "a.js"),
        this::err);
    JsonNode recording = page("p.html");
    assertEquals("a.js × 2", recording.get("title").asText());
    assertEquals("seed 3, virtual time", recording.get("note").asText());
    Set<String> lanes = new TreeSet<>();
    recording
        .get("lanes")
        .forEach(lane -> lanes.add(lane.get("name").asText().replaceFirst("b.js#.*", "b.js#…")));
    assertEquals(Set.of("a.js#1", "a.js#2", "lib/b.js#…", "lock task queue"), lanes);
    Set<String> places = new TreeSet<>();
    recording.get("requests").forEach(each -> places.add(each.get("position").asText()));
    assertEquals(Set.of("a.js:1:1", "lib/b.js:1:1"), places);
  }

  @Test
  void trace_on_a_full_disk_prints_one_line_and_exits_with_2() throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/full")), "a system without a full disk");
    file("a.js", "navigator.locks.request('l', () => console.log('ran'))");
    for (String format : List.of("jsonl", "perfetto", "html")) {
      err.reset();
      assertEquals(2, run("--trace", "/dev/full", "--trace-format", format, "a.js"));
      assertTrue(err().matches("weblocks: --trace /dev/full cannot be written: .*\n"), err());
    }
    assertEquals("ran\nran\nran\n", out());
  }

  @Test
  void unknown_formats_and_formats_without_a_trace_are_refused() throws IOException {
    file("a.js", "console.log('ran')");
    assertFails(
        "--trace-format 'svg' is unknown; formats are jsonl, perfetto, html (weblocks run --help)",
        "--trace",
        "t",
        "--trace-format",
        "svg",
        "a.js");
    assertFails(
        "--trace-format html needs --trace FILE (weblocks run --help)",
        "--trace-format",
        "html",
        "a.js");
  }

  @Test
  void invalid_combinations_of_deterministic_run_options_are_refused() throws IOException {
    file("a.js", "");
    assertFails("--seed 3 needs --deterministic (weblocks run --help)", "--seed", "3", "a.js");
    assertFails(
        "--allow-net and --deterministic exclude each other: responses of a network have no fixed"
            + " order (weblocks run --help)",
        "--deterministic",
        "--allow-net",
        "example.com",
        "a.js");
    assertFails(
        "--turn-limit and --deterministic exclude each other: the limit is real time, which must"
            + " not change such a run (weblocks run --help)",
        "--deterministic",
        "--turn-limit",
        "1s",
        "a.js");
    assertFails(
        "--inspect and --deterministic exclude each other: steps of a debugger have no fixed order"
            + " (weblocks run --help)",
        "--deterministic",
        "--inspect",
        "a.js");
    assertFails(
        "--trace a.js is a script of this run: name another file", "--trace", "a.js", "a.js");
  }

  @Test
  void trace_that_cannot_be_written_is_refused_before_anything_runs() throws IOException {
    file("a.js", "console.log('ran')");
    assertFails(
        "--trace none/t.jsonl cannot be written: the directory "
            + dir.resolve("none")
            + " does not exist; name another file",
        "--trace",
        "none/t.jsonl",
        "a.js");
  }

  @Test
  void missing_files_are_refused() throws IOException {
    assertFails("'nope.js' does not exist: name a file, or - for standard input", "nope.js");
  }

  @Test
  void directory_is_refused() throws IOException {
    file("d/a.js", "");
    assertFails("'d' is a directory: name a script in it", "d");
  }

  @Test
  void binary_file_is_refused() throws IOException {
    Files.write(dir.resolve("b.js"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertFails("'b.js' is not UTF-8 text: save the script in UTF-8", "b.js");
  }

  @Test
  void invalid_path_is_refused() {
    assertFails("'aU+0000b' is not a path: Nul character not allowed", "a\0b");
  }

  @Test
  void bad_file_prevents_all_scripts_from_running() throws IOException {
    file("a.js", "console.log('ran')");
    assertFails(
        "'nope.js' does not exist: name a file, or - for standard input", "a.js", "nope.js");
  }

  @Test
  void bad_origins_are_refused() {
    for (String origin :
        List.of(
            "localhost",
            "localhost:8080",
            "ftp://a.test",
            "https://",
            "https://a.test/path",
            "https://a.test?q",
            "https://a.test#f",
            "https://u@a.test",
            "https://a.test:0",
            "https://a.test:70000",
            "https://a..test",
            "https://1.2.3.400",
            "https://127.1",
            "https://a b",
            "")) {
      err.reset();
      assertFails(
          "--origin '"
              + origin
              + "' is not an origin; use one such as https://localhost (weblocks run"
              + " --help)",
          "--origin",
          origin,
          "-e",
          "1");
    }
  }

  @Test
  void bad_durations_are_refused() {
    for (String duration : List.of("10", "s", "-1s", "1 s", "1d", "1e3s", "1.s", "")) {
      err.reset();
      assertFails(
          "--timeout '"
              + duration
              + "' is not a duration; use one such as 500ms, 10s, 1.5m or 1h (weblocks run --help)",
          "--timeout=" + duration,
          "-e",
          "1");
    }
    for (String duration : List.of("0s", "0.0ms", "999999999h")) {
      err.reset();
      assertFails(
          "--timeout '"
              + duration
              + "' is out of range; it must be more than 0, and below 290 years (weblocks run"
              + " --help)",
          "--timeout",
          duration,
          "-e",
          "1");
    }
  }

  @Test
  void bad_numbers_of_agents_are_refused() {
    for (String agents : List.of("0", "-1", "10001")) {
      err.reset();
      assertFails(
          "--agents is " + agents + ": a number from 1 to 10000 is needed (weblocks run --help)",
          "--agents=" + agents,
          "-e",
          "1");
    }
    err.reset();
    assertFails(
        "--agents 'many': a whole number is needed (weblocks run --help)", "--agents", "many");
  }

  @Test
  void bad_hosts_are_refused() {
    for (String host : List.of("http://a.test", "a.test/x", "a.test:99999", "-a", "*", "")) {
      err.reset();
      assertFails(
          "--allow-net '"
              + host
              + "' is not a host; use one such as example.com or example.com:8080 (weblocks run"
              + " --help)",
          "--allow-net=" + host,
          "-e",
          "1");
    }
  }

  @Test
  void standard_input_can_be_given_only_once() {
    assertFails(
        "'-' is given twice: standard input can be read only once (weblocks run --help)", "-", "-");
  }

  @Test
  void unknown_option_is_refused() {
    assertFails("unknown option --frobnicate (weblocks run --help)", "--frobnicate");
  }

  @Test
  void help_lists_all_options_the_exit_status_and_examples() {
    assertEquals(0, run("--help"));
    for (String part :
        List.of(
            "--agents=N",
            "--allow-net=HOST",
            "--eval=CODE",
            "--module",
            "--origin=U",
            "--timeout=DURATION",
            "[SCRIPT...]",
            "Exit status:",
            "130",
            "Examples:",
            "weblocks run -e")) {
      assertTrue(out().contains(part), part + " is missing in:\n" + out());
    }
  }

  @Test
  void bad_inspector_ports_are_refused() {
    for (String port : List.of("abc", "-1", "65536", "1.5")) {
      err.reset();
      assertFails(
          "--inspect='"
              + port
              + "' is not a port; use a number from 0 to 65535 (weblocks run --help)",
          "--inspect=" + port,
          "-e",
          "1");
    }
  }

  @Test
  void inspector_port_in_use_is_refused() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertEquals(2, run("--inspect=" + port, "-e", "1"));
      assertTrue(
          err().startsWith("weblocks: --inspect: port " + port + " cannot be opened: "), err());
      assertEquals(1, err().lines().count());
    }
  }

  // ---- the prompt ------------------------------------------------------------------------------

  private List<String> prompt(String typed) {
    inputIsTerminal = true;
    input = typed;
    assertEquals(0, run(), this::err);
    assertEquals("", err());
    return screen
        .toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.replaceFirst("^(> |[.]{3} )+", ""))
        .toList();
  }

  @Test
  void prompt_shows_results_and_stores_the_last_result_in_underscore() {
    List<String> lines = prompt("1 + 1\n_ * 21\n'text'\n({a: [1]})\nundefined\n");
    assertTrue(
        lines.containsAll(List.of("2", "42", "'text'", "{ a: [ 1 ] }", "undefined")),
        lines::toString);
  }

  @Test
  void prompt_supports_await_redeclaration_and_multi_line_statements() {
    List<String> lines =
        prompt(
            """
            const x = await Promise.resolve(20)
            let y = 1
            let y = 2
            function f(a) {
              return a + y
            }
            f(x)
            await navigator.locks.request('l', async l => l.name)
            """);
    assertTrue(lines.containsAll(List.of("22", "'l'")), lines::toString);
  }

  @Test
  void ctrl_c_replaces_the_page_of_an_endless_script() {
    List<String> lines =
        prompt(
            """
            var mine = 1
            console.log('press ' + 'Ctrl-C'); while (true) {}
            typeof mine
            6 * 7
            """);
    assertTrue(
        lines.containsAll(
            List.of(
                "the script was stopped; its page was replaced, and declarations are lost",
                "'undefined'",
                "42")),
        lines::toString);
  }

  @Test
  void ctrl_c_stops_waiting_for_a_promise_and_keeps_the_page() {
    List<String> lines =
        prompt(
            """
            var mine = 1
            console.log('press ' + 'Ctrl-C'); await new Promise(() => {})
            mine + 1
            """);
    assertTrue(
        lines.containsAll(
            List.of("no result yet; the script continues, and Ctrl-D ends the prompt", "2")),
        lines::toString);
  }

  @Test
  void prompt_shows_rejected_promises_and_later_output() {
    List<String> lines =
        prompt(
            """
            Promise.reject(new RangeError('left alone'))
            await Promise.reject(new RangeError('awaited'))
            setTimeout(() => console.log('written ' + 'later'))
            await new Promise(resolve => setTimeout(resolve, 50))
            """);
    String all = String.join("\n", lines);
    assertTrue(all.contains("Uncaught (in promise) RangeError: left alone"), all);
    assertTrue(all.contains("Uncaught RangeError: awaited"), all);
    // possibly on the line that is being typed
    assertTrue(all.contains("written later"), all);
  }

  @Test
  void prompt_shows_errors_and_continues() {
    List<String> lines = prompt("null.x\nlet a b\nconsole.log('said')\n7 * 6\n");
    String screenText = String.join("\n", lines);
    assertTrue(
        screenText.contains("Uncaught TypeError: Cannot read property 'x' of null"), screenText);
    assertTrue(screenText.contains("Uncaught SyntaxError: Expected ; but found b"), screenText);
    assertTrue(lines.containsAll(List.of("said", "42")), screenText);
  }

  @Test
  void prompt_keeps_a_history_in_the_state_directory() throws IOException {
    variables.put("XDG_STATE_HOME", dir.resolve("state").toString());
    prompt("1 + 2\n");
    assertTrue(Files.readString(dir.resolve("state/weblocks/run-history")).contains("1 + 2"));
  }

  @Test
  void prompt_refuses_options_for_scripts() {
    inputIsTerminal = true;
    assertFails(
        "--agents needs a SCRIPT, -e CODE, or a program on standard input (weblocks run --help)",
        "--agents",
        "2");
    assertFails(
        "--replay needs a SCRIPT, -e CODE, or a program on standard input (weblocks run --help)",
        "--replay",
        "w1-AAEAAAABAE8rPZo");
    assertFails(
        "--deterministic needs a SCRIPT, -e CODE, or a program on standard input (weblocks run"
            + " --help)",
        "--deterministic");
  }
}
