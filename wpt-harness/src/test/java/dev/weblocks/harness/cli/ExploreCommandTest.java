package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.embed.Environment;
import dev.weblocks.harness.wpt.MiniatureWpt;
import dev.weblocks.harness.wpt.Timers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exploration of scripts, and replay of the findings by {@code weblocks run}. */
class ExploreCommandTest {

  private static final Path EXAMPLES = Path.of("src/examples/explore").toAbsolutePath();

  private static final Pattern CIRCLE =
      Pattern.compile("(?m)^deadlock: (pay|save).mjs waits for (save|pay).mjs, which waits for ");

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> properties = new HashMap<>();

  /** The action of Ctrl-C. */
  private final AtomicReference<Runnable> interrupt = new AtomicReference<>(() -> {});

  /** The action of the timer of {@code --time}. */
  private final AtomicReference<Runnable> timer = new AtomicReference<>(() -> {});

  private Runnable onFirstLine = () -> {};
  private Path workingDirectory;

  @BeforeEach
  void workInTheTemporaryDirectory() {
    workingDirectory = dir;
  }

  private final class Watched extends PrintStream {
    private boolean printed;

    Watched(ByteArrayOutputStream to) {
      super(to, true, StandardCharsets.UTF_8);
    }

    @Override
    public void flush() {
      super.flush();
      if (!printed && !ExploreCommandTest.this.out().isEmpty()) {
        printed = true;
        onFirstLine.run();
      }
    }
  }

  private int run(String... args) {
    out.reset();
    err.reset();
    return Main.run(
        new CliEnvironment(
            new Watched(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            properties::get,
            name -> null,
            false,
            (jobs, preloads, locks) -> {
              throw new AssertionError("no browser is needed");
            },
            Duration.ofMinutes(2)),
        new RunEnvironment(
            new ByteArrayInputStream(new byte[0]),
            true,
            workingDirectory,
            this::schedule,
            this::listen,
            () -> {
              throw new AssertionError("no prompt is needed");
            },
            Environment.newBuilder().warmUp(false)::build),
        args);
  }

  private Timers.Timer schedule(Duration delay, Runnable action) {
    timer.set(action);
    return () -> {};
  }

  private Runnable listen(Runnable action, CountDownLatch ended) {
    interrupt.set(action);
    return () -> {};
  }

  private int explore(String... args) {
    List<String> all = new ArrayList<>(List.of("explore"));
    all.addAll(List.of(args));
    return run(all.toArray(String[]::new));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String all() {
    return out() + err();
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(dir.resolve(name), text);
  }

  /** Returns the words after {@code replay: weblocks} in the output. */
  private List<String> replay() {
    Matcher matcher = Pattern.compile("(?m)^replay: weblocks (.*)$").matcher(out());
    assertTrue(matcher.find(), this::all);
    return List.of(matcher.group(1).split(" "));
  }

  /** Runs the replay command of the output twice; returns its output, which must be the same. */
  private String replayed() {
    String[] command = replay().toArray(String[]::new);
    assertEquals(1, run(command), this::all);
    String first = all().replaceAll("in \\d+[.]\\d s [(].*? a second[)]", "");
    assertEquals(1, run(command), this::all);
    assertEquals(first, all().replaceAll("in \\d+[.]\\d s [(].*? a second[)]", ""));
    return first;
  }

  private void assertContains(String part) {
    assertTrue(out().contains(part), () -> part + " is not in " + all());
  }

  // ---- the examples ----------------------------------------------------------------------------

  @Test
  void deadlock_of_two_locks_is_found_and_shrunk_and_replayed() {
    workingDirectory = EXAMPLES.resolve("deadlock");
    assertEquals(1, explore("--seed", "1", "pay.mjs", "save.mjs"), this::all);
    assertContains("2 agents, random, seed 1, at most 1,000\nfinding: deadlock, in schedule ");
    assertTrue(CIRCLE.matcher(out()).find(), this::all);
    assertContains("pay.mjs is granted 'giro'");
    assertContains("Not exhausted: ended at the finding\n");
    assertTrue(
        out().matches("(?s).*\nminimized in \\d+ runs: from .* to [01] preemptions?, .*"),
        this::all);
    String replayed = replayed();
    assertTrue(CIRCLE.matcher(replayed).find(), replayed);
    assertTrue(replayed.endsWith("finding: deadlock, replayed\n"), replayed);
  }

  @Test
  void deadlock_is_found_by_each_strategy() {
    workingDirectory = EXAMPLES.resolve("deadlock");
    for (String strategy : List.of("random", "pct", "dfs")) {
      assertEquals(1, explore("--strategy", strategy, "pay.mjs", "save.mjs"), this::all);
      assertContains("finding: deadlock");
    }
    assertEquals(
        1, explore("--strategy", "dfs", "--preemptions", "1", "pay.mjs", "save.mjs"), this::all);
    assertContains("all orders with at most 1 preemption");
  }

  @Test
  void search_is_exhausted_without_a_finding_when_locks_are_taken_in_order() {
    workingDirectory = EXAMPLES.resolve("deadlock");
    assertEquals(
        0,
        explore("--strategy", "dfs", "--schedules", "2000", "pay-ordered.mjs", "save-ordered.mjs"),
        this::all);
    assertContains("Exhausted: all orders were run, except those that differ only in the order of");
    assertContains("no finding");
  }

  @Test
  void lost_update_is_found_and_shrunk_and_replayed() {
    workingDirectory = EXAMPLES.resolve("lost-update");
    assertEquals(1, explore("--seed", "1", "--agents", "2", "add.mjs"), this::all);
    assertContains("finding: assertion, in schedule ");
    assertContains("lost update: 2 tabs have added 1, and there are 1");
    assertTrue(replay().containsAll(List.of("--agents", "2", "add.mjs")), this::out);
    String replayed = replayed();
    assertTrue(replayed.contains("lost update: 2 tabs have added 1, and there are 1"), replayed);
    assertTrue(replayed.endsWith("finding: assertion, replayed\n"), replayed);
  }

  @Test
  void update_under_a_lock_is_never_lost() {
    workingDirectory = EXAMPLES.resolve("lost-update");
    assertEquals(0, explore("--schedules", "60", "--agents", "2", "add-locked.mjs"), this::all);
    assertContains("60 schedules in ");
    assertContains("no finding\nNot exhausted: ended by --schedules\n");
  }

  @Test
  void victim_that_continues_after_a_steal_is_found_and_shrunk_and_replayed() {
    workingDirectory = EXAMPLES.resolve("stale-victim");
    assertEquals(1, explore("--seed", "1", "victim.mjs", "thief.mjs"), this::all);
    assertContains("finding: assertion, in schedule ");
    assertContains("the thief has the lock, and the text is by the victim");
    assertContains("victim.mjs loses 'document' (stolen)");
    assertTrue(replayed().contains("the thief has the lock, and the text is by the victim"));
  }

  @Test
  void victim_that_handles_its_rejection_has_no_finding() {
    workingDirectory = EXAMPLES.resolve("stale-victim");
    assertEquals(
        0,
        explore("--schedules", "60", "--seed", "1", "victim-checks.mjs", "thief.mjs"),
        this::all);
  }

  @Test
  void number_of_jobs_changes_only_the_reported_time() {
    workingDirectory = EXAMPLES.resolve("stale-victim");
    Pattern time = Pattern.compile("in \\d+[.]\\d s [(].*? a second[)]");
    String alone = null;
    for (String jobs : List.of("1", "3")) {
      assertEquals(1, explore("--jobs", jobs, "victim.mjs", "thief.mjs"), this::all);
      String shown = time.matcher(out()).replaceAll("");
      if (alone == null) {
        alone = shown;
      }
      assertEquals(alone, shown);
    }
  }

  // ---- findings --------------------------------------------------------------------------------

  @Test
  void unhandled_rejection_is_an_assertion_finding_with_its_position() throws IOException {
    file("a.js", "Promise.reject(new RangeError('too far'));");
    assertEquals(1, explore("a.js"), this::all);
    assertContains(
        "finding: assertion, in schedule 1\nUncaught (in promise) RangeError: too far\n");
    assertContains("a.js:1:16");
  }

  @Test
  void scenario_that_never_becomes_idle_is_a_livelock() throws IOException {
    file("a.js", "const again = () => setTimeout(again); again();");
    assertEquals(1, explore("--max-steps", "50", "a.js"), this::all);
    assertContains("finding: livelock, in schedule 1\nnot idle after 50 steps; look");
    String replayed = replayed();
    assertTrue(replayed.endsWith("finding: livelock, replayed\n"), replayed);
  }

  @Test
  void lock_held_forever_without_waiters_is_no_finding() throws IOException {
    file("a.js", "navigator.locks.request('l', () => new Promise(() => {}));");
    assertEquals(0, explore("--schedules", "3", "a.js"), this::all);
  }

  @Test
  void option_keep_going_reports_each_finding_once() throws IOException {
    file(
        "a.js",
        "const other = Number(localStorage.getItem('n')); localStorage.setItem('n', 1);"
            + "if (other) throw new Error('second');");
    assertEquals(
        1,
        explore("--keep-going", "--schedules", "10", "--agents", "2", "--json", "r.json", "a.js"),
        this::all);
    JsonNode report = new ObjectMapper().readTree(Files.readString(dir.resolve("r.json")));
    assertEquals(1, report.get("findings").size(), report::toString);
    JsonNode finding = report.get("findings").get(0);
    assertEquals("assertion", finding.get("kind").asText());
    assertEquals(10, finding.get("times").asInt());
    assertEquals(1, finding.get("schedule").asInt());
    assertEquals(0, finding.get("simplest").get("choices").asInt());
    assertTrue(finding.get("replay").asText().startsWith("w1-"));
    assertEquals("schedules", report.get("end").asText());
    assertFalse(report.get("exhausted").asBoolean());
    assertEquals(10, report.get("schedules").asInt());
    assertEquals("random", report.get("settings").get("strategy").asText());
    assertEquals(1, report.get("settings").get("seed").asInt());
  }

  @Test
  void timer_precedes_other_work_only_with_option_early_timers() throws IOException {
    file(
        "a.js",
        "let late = false;"
            + "setTimeout(() => { late = true }, 1000);"
            + "navigator.locks.request('l', () => { if (late) throw new Error('too late') });");
    assertEquals(0, explore("--strategy", "dfs", "a.js"), this::all);
    assertContains("Exhausted: ");
    assertEquals(1, explore("--strategy", "dfs", "--early-timers", "a.js"), this::all);
    assertContains("too late");
    assertTrue(replayed().contains("too late"));
  }

  @Test
  void scripts_are_explored_and_replayed_under_variants() throws IOException {
    file(
        "a.js",
        "navigator.locks.request('l', {reentrant: true}, () =>"
            + " navigator.locks.request('l', {reentrant: true}, () => {}));");
    assertEquals(1, explore("a.js"), this::all);
    assertContains("finding: deadlock");
    assertEquals(0, explore("--variant", "reentrant", "--schedules", "5", "a.js"), this::all);
    file("b.js", "throw new Error('b')");
    assertEquals(1, explore("--variant", "stolen-error", "b.js"), this::all);
    assertTrue(replay().containsAll(List.of("--variant", "stolen-error")), this::out);
    assertTrue(replayed().contains("Error: b"));
  }

  // ---- outputs ---------------------------------------------------------------------------------

  @Test
  void trace_of_explore_shows_the_order_of_the_printed_replay_string() throws IOException {
    workingDirectory = EXAMPLES.resolve("deadlock");
    Path trace = dir.resolve("steps.jsonl");
    assertEquals(1, explore("--trace", trace.toString(), "pay.mjs", "save.mjs"), this::all);
    String replayed = String.join(" ", replay());
    Path again = dir.resolve("again.jsonl");
    List<String> command = new ArrayList<>(List.of(replayed.split(" ")));
    command.add("--trace");
    command.add(again.toString());
    assertEquals(1, run(command.toArray(String[]::new)), this::all);
    List<String> explored = steps(trace);
    assertEquals(steps(again), explored);
    assertTrue(explored.stream().anyMatch(line -> line.contains("RequestLock")));
  }

  @Test
  void timeline_of_a_deadlock_ends_with_the_cycle_of_waits() throws IOException {
    workingDirectory = EXAMPLES.resolve("deadlock");
    Path trace = dir.resolve("steps.html");
    assertEquals(1, explore("--trace", trace.toString(), "pay.mjs", "save.mjs"), this::all);
    JsonNode recording = recording(trace);
    assertEquals(1, recording.get("cycles").size());
    assertEquals(2, recording.get("waits").size());
    for (JsonNode request : recording.get("requests")) {
      assertEquals(-1, request.get("over").asInt(), request::toString);
    }
    for (JsonNode lane : recording.get("lanes")) {
      assertEquals(-1, lane.get("ended").asInt(), lane::toString);
    }
  }

  private static JsonNode recording(Path page) throws IOException {
    return new ObjectMapper()
        .readTree(
            Files.readString(page).replaceAll("(?s).*class=\"recording\">(.*?)</script>.*", "$1"));
  }

  @Test
  void trace_page_has_agent_display_names_and_positions_in_the_users_files() throws IOException {
    Files.createDirectory(dir.resolve("lib"));
    file("lib/b.js", "navigator.locks.request('l', () => {})");
    file(
        "a.js",
        "navigator.locks.request('l', () => new Promise(() => {})); new Worker('lib/b.js')");
    assertEquals(1, explore("--agents", "2", "--trace", "p.html", "a.js"), this::all);
    JsonNode recording = recording(dir.resolve("p.html"));
    assertEquals("deadlock, simplest order of steps", recording.get("title").asText());
    Set<String> lanes = new TreeSet<>();
    recording
        .get("lanes")
        .forEach(lane -> lanes.add(lane.get("name").asText().replaceFirst("b.js#.*", "b.js#…")));
    assertTrue(lanes.containsAll(Set.of("a.js#1", "a.js#2", "lib/b.js#…")), lanes::toString);
    assertTrue(lanes.stream().noneMatch(lane -> lane.startsWith("window-")), lanes::toString);
    Set<String> places = new TreeSet<>();
    recording.get("requests").forEach(each -> places.add(each.get("position").asText()));
    assertEquals(Set.of("a.js:1:1", "lib/b.js:1:1"), places);
  }

  /** Returns tasks and lock steps of a trace. */
  private static List<String> steps(Path trace) throws IOException {
    List<String> steps = new ArrayList<>();
    for (String line : Files.readAllLines(trace)) {
      JsonNode step = new ObjectMapper().readTree(line);
      if (step.get("kind").asText().matches("task|lock_step")) {
        steps.add(step.get("actor").asText() + " " + step.get("detail").asText());
      }
    }
    return steps;
  }

  @Test
  void explore_with_a_replay_string_shows_the_same_order() {
    workingDirectory = EXAMPLES.resolve("deadlock");
    assertEquals(1, explore("pay.mjs", "save.mjs"), this::all);
    String interleaving = out().replaceFirst("(?s).*?(STEP .*)\nreplay: .*", "$1");
    String string = replay().get(2);
    assertEquals(1, explore("--replay", string, "pay.mjs", "save.mjs"), this::all);
    assertContains("2 agents, one order, replayed\nfinding: deadlock\n");
    assertContains(interleaving);
  }

  @Test
  void replay_string_of_other_scripts_is_refused_with_a_hint() {
    workingDirectory = EXAMPLES.resolve("deadlock");
    assertEquals(1, explore("pay.mjs", "save.mjs"), this::all);
    String string = replay().get(2);
    for (String command : List.of("run", "explore")) {
      assertEquals(2, run(command, "--replay", string, "pay-ordered.mjs"), this::all);
      assertTrue(
          err()
              .matches("weblocks: --replay does not fit: [^\n]*use the same scripts and options\n"),
          this::all);
    }
  }

  @Test
  void script_without_locks_is_explored_without_showing_its_output() throws IOException {
    file("a.js", "console.log('seen')");
    assertEquals(0, explore("--strategy", "dfs", "--agents", "2", "a.js"), this::all);
    assertFalse(all().contains("seen"), this::all);
    assertContains("1 schedule in ");
    assertContains("Exhausted: ");
  }

  // ---- ends ------------------------------------------------------------------------------------

  @Test
  void interrupted_exploration_prints_the_summary_so_far() {
    workingDirectory = EXAMPLES.resolve("lost-update");
    onFirstLine = () -> interrupt.get().run();
    assertEquals(
        130,
        explore(
            "--schedules",
            "1000000",
            "--keep-going",
            "--time",
            "1h",
            "--agents",
            "2",
            "add-locked.mjs"),
        this::all);
    assertContains(" schedules in ");
    assertEquals("weblocks: interrupted\n", err());
  }

  @Test
  void findings_are_reported_even_if_their_trace_cannot_be_written() throws IOException {
    workingDirectory = EXAMPLES.resolve("deadlock");
    Path trace = dir.resolve("gone").resolve("steps.jsonl");
    Files.createDirectory(trace.getParent());
    onFirstLine =
        () -> {
          try {
            Files.delete(trace.getParent());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertEquals(2, explore("--trace", trace.toString(), "pay.mjs", "save.mjs"), this::all);
    assertContains("finding: deadlock");
    assertContains("replay: weblocks run --replay ");
    assertTrue(err().startsWith("weblocks: --trace " + trace), this::err);
  }

  // ---- a web-platform-test ---------------------------------------------------------------------

  private void miniature(String... lines) {
    MiniatureWpt wpt = new MiniatureWpt(dir.resolve("wpt"));
    wpt.file(
        "resources/testharness.js",
        "addEventListener('load', () => {",
        "  const post = message => fetch('/weblocks/results', {method: 'POST',",
        "    body: JSON.stringify({page: location.href, ...message})});",
        "  runTest().then(() => [0, null], error => [1, error.message]).then(([status, message]) =>",
        "    post({type: 'completion', status: 0, message: null,",
        "      subtests: [{name: 'it holds', status, message}]}));",
        "});");
    wpt.file("area/a.https.window.js", lines);
    properties.put("weblocks.wpt.dir", dir.resolve("wpt").toString());
    properties.put("weblocks.home", dir.toString());
  }

  @Test
  void unexpected_results_of_a_web_platform_test_are_findings() {
    miniature(
        "async function runTest() {",
        "  let granted = 0;",
        "  await new Promise(done => {",
        "    navigator.locks.request('a', () => { if (++granted === 2) done(); });",
        "    setTimeout(() => { if (++granted === 1) throw new Error(); else done(); });",
        "  });",
        "  throw new Error('not so');",
        "}");
    assertEquals(1, explore("--wpt", "/area/a.https.window.html"), this::all);
    assertContains("finding: assertion, in schedule 1\nit holds: FAIL, expected PASS: not so\n");
    assertTrue(replay().containsAll(List.of("explore", "--wpt", "/area/a.https.window.html")));
    assertTrue(replayed().contains("it holds: FAIL"));
  }

  @Test
  void web_platform_test_that_passes_in_all_orders_has_no_finding() {
    miniature("function runTest() { return navigator.locks.request('a', () => {}); }");
    assertEquals(0, explore("--schedules", "5", "--wpt", "area/a.https.window.html"), this::all);
    assertContains("5 schedules in ");
  }

  // ---- bad input -------------------------------------------------------------------------------

  private void assertFails(String line, String... args) {
    assertEquals(2, explore(args), this::all);
    assertEquals("weblocks: " + line + "\n", err());
    assertEquals("", out());
  }

  @Test
  void invalid_combinations_of_options_are_refused() throws IOException {
    file("a.js", "");
    assertFails("--depth 3 needs --strategy pct (weblocks explore --help)", "--depth", "3", "a.js");
    assertFails(
        "--preemptions 3 needs --strategy dfs (weblocks explore --help)",
        "--preemptions",
        "3",
        "a.js");
    assertFails(
        "--jobs 3 needs --strategy random or pct (weblocks explore --help)",
        "--strategy",
        "dfs",
        "--jobs",
        "3",
        "a.js");
    assertFails(
        "--seed 3 needs --strategy random or pct (weblocks explore --help)",
        "--strategy",
        "dfs",
        "--seed",
        "3",
        "a.js");
    assertFails(
        "--wpt and scripts exclude each other: leave one out (weblocks explore --help)",
        "--wpt",
        "/a.html",
        "a.js");
    assertFails(
        "--wpt and --module exclude each other: leave one out (weblocks explore --help)",
        "--wpt",
        "/a.html",
        "--module");
    assertFails(
        "--strategy 'depth' is unknown; strategies are random, pct, dfs (weblocks explore --help)",
        "--strategy",
        "depth",
        "a.js");
    assertFails(
        "no script is given; name a SCRIPT, -e CODE, or a test with --wpt"
            + " (weblocks explore --help)");
    assertFails(
        "--trace and --json name the same file o (weblocks explore --help)",
        "--trace",
        "o",
        "--json",
        "o",
        "a.js");
    assertFails(
        "the web-platform-tests are missing: run scripts/fetch-wpt, or name a directory with"
            + " WPT_DIR",
        "--wpt",
        "/a.html");
  }

  @Test
  void run_refuses_options_that_the_replay_string_already_sets() throws IOException {
    file("a.js", "");
    assertEquals(2, run("run", "--replay", "w1-x", "--seed", "3", "a.js"));
    assertEquals(
        "weblocks: --seed and --replay exclude each other: the replay sets the order (weblocks run"
            + " --help)\n",
        err());
    assertEquals(2, run("run", "--replay", "w1-x", "a.js"));
    assertEquals(
        "weblocks: --replay 'w1-x' is damaged; copy the whole string (weblocks run --help)\n",
        err());
  }
}
