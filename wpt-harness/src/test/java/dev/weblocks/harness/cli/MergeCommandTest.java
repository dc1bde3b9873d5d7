package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.FakeBrowser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks and shards, and {@code weblocks merge}, which makes one report of theirs. */
class MergeCommandTest extends CliBed {

  /** Each order of the timers of two agents has a finding of its own. */
  private static final String SCRIPT =
      """
      const seen = Number(localStorage.getItem('n'));
      localStorage.setItem('n', seen + 1);
      setTimeout(() => {
        const order = (localStorage.getItem('order') ?? '') + seen;
        localStorage.setItem('order', order);
        if (order === '1') throw new Error('second first');
        if (order === '01') throw new Error('first first');
      });
      """;

  /** Runs a command in the temporary directory. */
  @Override
  int run(String... args) {
    forget();
    return Main.run(cli(), environment(dir, ""), args);
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private void file(String name, String text) throws IOException {
    Files.createDirectories(dir.resolve(name).getParent());
    Files.writeString(dir.resolve(name), text);
  }

  /** Returns a file without what differs between two equal runs. */
  private String report(String name) throws IOException {
    return Files.readString(dir.resolve(name))
        .replaceAll("\"(time|duration)\":\\d+", "\"$1\":0")
        .replaceAll("(duration_ms|# start|# end): .*", "$1: ")
        .replaceAll("\"(seconds|schedulesPerSecond)\" : [-0-9.E]+", "\"$1\" : 0");
  }

  /** Returns the output without durations. */
  private String summary() {
    return out().replaceAll(" in [0-9.]+ m?s( [(][0-9.]+ a second[)])?", "");
  }

  /** Runs a command once whole, then in three shards with reports; returns the words of a merge. */
  private List<String> merge(String extension, List<String> command, List<String> report) {
    List<String> merge = new ArrayList<>(List.of("merge", "--output", path("merged" + extension)));
    for (int number = 1; number <= 3; number++) {
      List<String> words = new ArrayList<>(command);
      words.addAll(
          command.getFirst().equals("wpt")
              ? List.of("--this-chunk", "" + number, "--total-chunks", "3")
              : List.of("--shard", number + "/3"));
      String part = path("part-" + number + extension);
      words.addAll(report);
      words.add(part);
      int unused = run(words.toArray(String[]::new));
      merge.add(part);
    }
    Collections.reverse(merge.subList(3, merge.size()));
    return merge;
  }

  // ---- web-platform-tests ----------------------------------------------------------------------

  private void writeTests() throws IOException {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      wpt.file("area/" + name + ".any.js", name.equals("b") ? "// META: timeout=long" : "");
    }
    wpt.file("area/page.html", "<link rel=match href=page-ref.html>");
    wpt.file("area/hand-manual.html", "");
    file(
        "wpt-subset/expectations/area/c.any.js.json",
        """
        {"*": {"subtests": {"gone": {"status": "FAIL", "reason": "why", "link": "README.md"}}}}
        """);
    file(
        "wpt-subset/expectations/area/d.any.js.json",
        """
        {"/area/d.any.html": {"status": "SKIP", "reason": "why", "link": "README.md#x"},
         "/area/d.any.worker.html": {"subtests": {"it works":
           {"status": "FLAKY", "statuses": ["PASS", "TIMEOUT"], "reason": "r", "link": "README.md"}}}}
        """);
    script =
        page ->
            page.complete(
                page.url.contains("/a.any") ? 1 : 0,
                FakeBrowser.Page.subtest("it works", page.url.contains("worker") ? 1 : 0, "no"));
  }

  @Test
  void merged_chunks_equal_the_report_of_one_run() throws IOException {
    writeTests();
    assertEquals(1, run("wpt", "area", "--jsonl", path("whole.jsonl"), "--tap", path("whole.tap")));
    String whole = summary().replaceFirst("(?s)^.*?(?=\nUnexpected results)", "");
    assertTrue(whole.contains("MISSING (expected FAIL) gone"), whole);
    assertTrue(whole.contains("skipped /area/d.any.html: why (README.md#x)"), whole);

    List<String> merge = merge(".jsonl", List.of("wpt", "area"), List.of("--jsonl"));
    merge.addAll(List.of("--output", path("merged.tap")));
    assertEquals(1, run(merge.toArray(String[]::new)), this::err);

    assertEquals(report("whole.jsonl"), report("merged.jsonl"));
    assertEquals(report("whole.tap"), report("merged.tap"));
    assertEquals(whole, summary());
  }

  @Test
  void chunks_have_each_test_once_and_equal_numbers() throws IOException {
    writeTests();
    List<String> all = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      String chunk = String.valueOf(number);
      assertEquals(0, run("wpt", "--list", "--this-chunk", chunk, "--total-chunks", "4"));
      List<String> tests = out().lines().toList();
      assertTrue(tests.size() == 3, tests::toString);
      assertEquals(
          tests.stream().filter(test -> test.contains("/b.any")).count(), number <= 2 ? 1 : 0);
      all.addAll(tests);
    }
    Collections.sort(all);
    assertEquals(0, run("wpt", "--list"));
    assertEquals(out().lines().toList(), all);
  }

  @Test
  void chunk_without_a_test_succeeds_and_is_merged() throws IOException {
    wpt.file("area/a.html", "<script src=/resources/testharness.js></script>");
    List<String> merge = merge(".jsonl", List.of("wpt"), List.of("--jsonl"));
    assertTrue(out().contains("Tests: 0\nSubtests: 0\nAll as expected"), this::all);
    assertEquals(0, run(merge.toArray(String[]::new)), this::err);
    assertTrue(out().startsWith("Tests: 1 (OK 1)\n"), this::out);
  }

  private String all() {
    return out() + err();
  }

  // ---- explorations ----------------------------------------------------------------------------

  @Test
  void merged_shards_of_drawn_orders_equal_one_exploration() throws IOException {
    file("a.js", SCRIPT);
    List<String> command =
        List.of("explore", "--keep-going", "--schedules", "40", "--agents", "2", "a.js");
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of("--json", path("whole.json")));
    assertEquals(1, run(whole.toArray(String[]::new)), this::all);
    String summary = summary().replaceFirst("^.*\n", "");

    assertEquals(1, run(merge(".json", command, List.of("--json")).toArray(String[]::new)));

    assertEquals(report("whole.json"), report("merged.json"));
    assertEquals(summary, summary());
    assertTrue(summary.contains("replay: weblocks run --replay w1-"), summary);
    assertTrue(summary.contains(", 2 findings\n"), summary);
  }

  @Test
  void merged_shards_of_all_orders_run_as_many_as_one_exploration() throws IOException {
    file("a.js", "navigator.locks.request('a', () => localStorage.setItem('n', 1));");
    file("b.js", "navigator.locks.request('a', () => localStorage.setItem('n', 2));");
    List<String> command = List.of("explore", "--strategy", "dfs", "a.js", "b.js");
    assertEquals(0, run(command.toArray(String[]::new)), this::all);
    String schedules = out().lines().skip(1).findFirst().orElseThrow().replaceFirst(" in .*", "");

    assertEquals(0, run(merge(".json", command, List.of("--json")).toArray(String[]::new)));

    assertTrue(out().startsWith(schedules + " in "), () -> schedules + " before " + out());
    assertTrue(out().contains("Exhausted: all orders were run"), this::out);
    assertTrue(report("merged.json").contains("\"exhausted\" : true"));
  }

  // ---- programs against the model --------------------------------------------------------------

  @Test
  void merged_shards_of_programs_equal_one_run() throws IOException {
    List<String> command =
        List.of("differ", "--programs", "7", "--seed", "3", "--deterministic", "--seeds", "2");
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of("--json", path("whole.json")));
    assertEquals(0, run(whole.toArray(String[]::new)), this::all);
    String summary = summary();

    assertEquals(0, run(merge(".json", command, List.of("--json")).toArray(String[]::new)));

    assertEquals(report("whole.json"), report("merged.json"));
    assertEquals(summary, summary());
  }

  @Test
  void programs_that_differ_are_merged_in_the_order_of_one_run() throws IOException {
    for (int number = 1; number <= 2; number++) {
      file(
          "part-" + number + ".json",
          """
          {"command": "differ", "settings": {"engine": "firefox", "shard": "%d/2"}, "total": 1,
           "seconds": %d, "verdicts": {"differs": 1}, "known": {},
           "programs": [{"seed": %d, "verdict": "differs", "summary": "s", "smallest": ["x"]}]}
          """
              .formatted(number, number, 9 - number));
    }
    assertEquals(1, run("merge", path("part-1.json"), path("part-2.json")), this::err);
    assertEquals(
        """
        differs seed 7: s
          x
        differs seed 8: s
          x
        2 of 2 programs: 0 conform, 0 known, 0 undecided, 2 differ in 2.0 s
        """,
        out());
  }

  // ---- hostile reports -------------------------------------------------------------------------

  private static long crc(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  /** Merges the only shard of a run whose report has a control sequence at each {@code ~}. */
  private void assertHarmless(int status, String expected, String name, String report)
      throws IOException {
    file(name, report.replace("~", "\\u001b[2J"));
    forget();
    assertEquals(status, run("merge", path(name)), this::err);
    assertEquals(expected.replace("~", "U+001b[2J"), summary());
    assertEquals("", err());
  }

  @Test
  void control_sequences_in_reports_of_tests_are_made_visible() throws IOException {
    assertHarmless(
        1,
        """

        Unexpected results:
          /a~.html
            FAIL (expected OK~ or PASS~) s~
              m~

        Tests: 1 (OK 1)
        Subtests: 1 (FAIL 1)
        Not supported: 1 (kind~ 1), Skipped: 1
          1: why~
          skipped /c~: why~
        1 unexpected
        """,
        "a.jsonl",
        """
        {"event":"run_start","time":1,"run_info":{"this_chunk":"1","total_chunks":"1",
          "selected":"3 tests, CRC-32 %08x"},"tests":3}
        {"event":"test","test":"/a~.html","status":"OK","expected":"OK","unexpected":false,"duration":1,
          "subtests":[{"name":"s~","status":"FAIL","expected":"OK~","unexpected":true,
            "known_intermittent":["PASS~"],"message":"m~"}]}
        {"event":"not_run","test":"/b~","kind":"kind~","reason":"not supported: why~"}
        {"event":"not_run","test":"/c~","reason":"skipped: why~"}
        {"event":"run_end","time":2,"interrupted":false,"ran":1,"not_run":2,"unexpected":1}
        """
            .formatted(crc("/a\u001b[2J.html\n/b\u001b[2J\n/c\u001b[2J\n")));
  }

  @Test
  void control_sequences_in_reports_of_programs_are_made_visible() throws IOException {
    assertHarmless(
        1,
        """
        differs seed 7: s~
          x~
        1 of 1 programs: 0 conform, 0 known {k~=1}, 0 undecided, 1 differ
        """,
        "d.json",
        """
        {"command": "differ", "settings": {"shard": "1/1"}, "total": 1, "seconds": 1,
         "verdicts": {"differs": 1}, "known": {"k~": 1},
         "programs": [{"seed": 7, "verdict": "differs", "summary": "s~", "smallest": ["x~"]}]}
        """);
  }

  @Test
  void control_sequences_in_reports_of_explorations_are_made_visible() throws IOException {
    String replay = "w1-AAEKB4AEAAQO8kc";
    assertHarmless(
        1,
        """
        finding: deadlock, in schedule 1
        t~
        minimized in 0 runs: from 0 preemptions, 0 switches and 0 choices to 0 preemptions, 0 switches\
         and 0 choices
        STEP  AGENT  TASK   WHAT HAPPENS
           1  a~  k~  e~
        replay: weblocks run --replay %s 'a~.js'
        1 schedule, 0 distinct states, 1 finding
        Not exhausted: ended at the finding
        """
            .formatted(replay),
        "e.json",
        """
        {"command": "explore", "settings": {"shard": "1/1", "replay": "weblocks run --replay STRING 'a~.js'"},
         "schedules": 1, "brokenOff": 0, "distinctStates": 0, "states": "", "seconds": 1,
         "end": "finding", "findings": [{"kind": "deadlock", "key": "k", "text": "t~",
          "schedule": 1, "times": 1, "replay": "%s", "shrinkRuns": 0,
          "first": {"preemptions": 0, "switches": 0, "choices": 0, "steps": 1},
          "simplest": {"preemptions": 0, "switches": 0, "choices": 0, "steps": 1, "interleaving": [
           {"step": 1, "agent": "a~", "task": "k~", "events": ["e~"]}]}}]}
        """
            .formatted(replay));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          LOST                  |                       | it states "tests" 4, and has 3
          DOUBLED               |                       | it has /area/b.any.html twice
          "subtests":\\[.*?]   | "subtests":null       | "subtests" is no array
          "subtests":\\[.*?]   | "subtests":[]         | it states "subtests" 4, and has 3
          /area/b.any.html      | /area/z.any.html      | they state 12 tests
          "test":"[^"]*"        | "test":null           | "test" is no string
          "status":"OK"         | "status":"TIMEOUT"    | "unexpected" contradicts the expected status
          "status":"PASS"       | "status":"GOOD"       | "status" is unknown: 'GOOD'
          "unexpected":false    | "unexpected":0        | "unexpected" is no boolean
          "interrupted":false   | "interrupted":"false" | "interrupted" is no boolean
          "interrupted":false   | "interrupted":null    | "interrupted" is no boolean
          "ran":4               | "ran":9               | it states "ran" 9, and has 4
          "not_run":0           | "not_run":1           | it states "not_run" 1, and has 0
          "unexpected":0        | "unexpected":7        | it states "unexpected" 7, and has 0
          "subtests":4          | "subtests":-4         | "subtests" is no count
          ,"tests":4            |                       | "tests" is missing
          "time":[0-9]+         | "time":"0"            | "time" is no number
          """)
  void report_of_tests_that_does_not_add_up_is_refused(String from, @Nullable String to, String why)
      throws IOException {
    for (String name : List.of("a", "b", "c", "d", "e", "f")) { // four tests for each chunk
      wpt.file("area/" + name + ".any.js", "");
    }
    script = page -> page.complete(0, FakeBrowser.Page.subtest("it works", 0, ""));
    List<String> merge = merge(".jsonl", List.of("wpt", "area"), List.of("--jsonl"));
    assertEquals(0, run(merge.toArray(String[]::new)), this::err);
    String part =
        List.of("part-1.jsonl", "part-2.jsonl", "part-3.jsonl").stream()
            .filter(each -> read(each).contains("/area/b.any.html"))
            .findFirst()
            .orElseThrow();
    String text = read(part);
    String line =
        text.lines().filter(each -> each.contains("/area/b.any.html")).findFirst().orElseThrow();
    String changed =
        switch (from) {
          case "LOST" -> text.replace(line + "\n", "");
          case "DOUBLED" -> text.replace(line, line + "\n" + line);
          default -> text.replaceFirst(from, to == null ? "" : to);
        };
    assertNotEquals(text, changed);
    file(part, changed);

    assertEquals(2, run(merge.toArray(String[]::new)), this::all);

    assertTrue(err().contains(why), this::err);
    assertEquals("", out());
  }

  private String read(String name) {
    try {
      return Files.readString(dir.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weblocks run --replay STRING a.js; touch x",
        "weblocks run --replay STRING $(touch)",
        "weblocks run --replay STRING 'a'`touch`",
        "weblocks run --replay STRING --trace=x a.js",
        "weblocks run --replay STRING '--trace=x' a.js",
        "weblocks run --replay STRING ''--trace=x a.js",
        "weblocks run --replay STRING --allow-net=x a.js",
        "weblocks run --replay STRING -e",
        "touch x; weblocks run --replay STRING",
        "run STRING"
      })
  void report_with_another_command_as_its_replay_is_refused(String replay) throws IOException {
    file(
        "e.json",
        """
        {"command": "explore", "settings": {"shard": "1/1", "replay": "%s"},
         "schedules": 1, "brokenOff": 0, "distinctStates": 0, "states": "", "seconds": 1,
         "end": "schedules", "findings": []}
        """
            .formatted(replay));
    assertRefused(
        ("%s is not a whole report of wpt --jsonl, explore --json or differ --json: \"replay\" is no"
                + " command that explore writes; name another")
            .formatted(path("e.json")),
        path("e.json"));
  }

  @Test
  void supported_test_with_a_kind_is_refused() throws IOException {
    file(
        "kind.jsonl",
        """
        {"event":"run_start","time":1,"run_info":{"this_chunk":"1","total_chunks":"1"},"tests":1}
        {"event":"not_run","test":"/b","kind":"manual","reason":"why"}
        {"event":"run_end","time":2,"interrupted":false,"ran":0,"not_run":1,"unexpected":0}
        """);
    assertRefused(
        ("%s is not a whole report of wpt --jsonl, explore --json or differ --json: a supported test"
                + " has a \"kind\"; name another")
            .formatted(path("kind.jsonl")),
        path("kind.jsonl"));
  }

  // ---- reports that do not belong together -----------------------------------------------------

  private String differ(String name, String settings, int done) throws IOException {
    file(
        name,
        """
        {"command": "differ", "settings": {%s}, "total": 1, "seconds": 1,
         "verdicts": {"conforms": %d}, "known": {}, "programs": []}
        """
            .formatted(settings, done));
    return path(name);
  }

  private String chunk(String name, String info, boolean interrupted) throws IOException {
    file(
        name,
        """
        {"event":"run_start","time":1,"run_info":{%s},"tests":0}
        {"event":"run_end","time":2,"interrupted":%s,"ran":0,"not_run":0,"unexpected":0}
        """
            .formatted(info, interrupted));
    return path(name);
  }

  private void assertRefused(String line, String... reports) {
    List<String> words = new ArrayList<>(List.of("merge", "--output", path("out.jsonl")));
    words.addAll(List.of(reports));
    assertFails(line, words.toArray(String[]::new));
    assertFalse(Files.exists(dir.resolve("out.jsonl")));
  }

  @Test
  void reports_that_do_not_belong_together_are_refused() throws IOException {
    String one = differ("1.json", "'seed': 1, 'shard': '1/2'".replace('\'', '"'), 1);
    String two = differ("2.json", "'seed': 1, 'shard': '2/2'".replace('\'', '"'), 1);
    assertEquals(0, run("merge", one, two), this::err);
    String seed = differ("seed.json", "'seed': 5, 'shard': '2/2'".replace('\'', '"'), 1);
    assertRefused(
        "the reports %s and %s do not belong together: seed is 1 and 5".formatted(one, seed),
        one,
        seed);
    String total = differ("total.json", "'seed': 1, 'shard': '2/3'".replace('\'', '"'), 1);
    assertRefused(
        "the reports %s and %s do not belong together: shard is 1/2 and 2/3".formatted(one, total),
        one,
        total);
    assertRefused("no report of shard 2/2 is given; name it too", one);
    assertRefused(one + " and another report are of shard 1/2; name one of them", one, two, one);
    String half = differ("half.json", "'seed': 1, 'shard': '2/2'".replace('\'', '"'), 0);
    assertRefused(
        "the run of the report %s was interrupted, or failed; shard 2/2 is needed again"
            .formatted(half),
        one,
        half);
    String whole = differ("whole.json", "\"seed\": 1", 1);
    assertRefused(
        "the report %s is of a whole run; name reports of --shard or --this-chunk".formatted(whole),
        whole);
    String chunk = chunk("1.jsonl", CHUNK_OF_TWO.formatted(1, "abc"), false);
    assertRefused(
        "the reports %s and %s are of differ and wpt; name reports of one command"
            .formatted(one, chunk),
        one,
        chunk);
  }

  private static final String CHUNK_OF_TWO =
      """
      "product":"weblocks","this_chunk":"%d","total_chunks":"2","selected":"0 tests, CRC-32 00000000","revision":"%s\"\
      """;

  @Test
  void shards_of_a_changed_web_platform_test_are_refused() {
    for (int number = 1; number <= 2; number++) {
      wpt.file("area/a.https.window.js", number == 1 ? "// one" : "// two");
      String shard = number + "/2";
      int unused =
          run(
              "explore",
              "--wpt",
              "/area/a.https.window.html",
              "--shard",
              shard,
              "--json",
              path(number + ".json"));
    }
    assertRefused(
        "the reports %s and %s do not belong together: scripts is CRC-32 21b65e48 and CRC-32 4a1052df"
            .formatted(path("1.json"), path("2.json")),
        path("1.json"),
        path("2.json"));
  }

  @Test
  void chunks_of_other_revisions_options_or_tests_are_refused() throws IOException {
    String one = chunk("1.jsonl", CHUNK_OF_TWO.formatted(1, "abc"), false);
    String info = CHUNK_OF_TWO.formatted(2, "abc");
    String apart = "the reports %s and %s do not belong together: ";
    assertEquals(0, run("merge", one, chunk("2.jsonl", info, false)), this::err);
    String other = chunk("other.jsonl", CHUNK_OF_TWO.formatted(2, "def"), false);
    assertRefused(apart.formatted(one, other) + "revision is abc and def", one, other);
    String node = chunk("node.jsonl", info + ",\"options\":\"--spec-variant node\"", false);
    assertRefused(
        apart.formatted(one, node) + "options is none and --spec-variant node", one, node);
    String tests = chunk("tests.jsonl", info.replace("0 tests", "5 tests"), false);
    assertRefused(
        apart.formatted(one, tests)
            + "selected is 0 tests, CRC-32 00000000 and 5 tests, CRC-32 00000000",
        one,
        tests);
    String half = chunk("half.jsonl", info, true);
    assertRefused(
        "the run of the report %s was interrupted, or failed; shard 2/2 is needed again"
            .formatted(half),
        one,
        half);
    Path java = Path.of(chunk("java.jsonl", info + ",\"java\":\"21\"", false));
    assertEquals(0, run("merge", one, java.toString()), this::err);
  }
}
