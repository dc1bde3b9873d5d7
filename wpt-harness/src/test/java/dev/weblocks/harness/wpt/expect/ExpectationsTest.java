package dev.weblocks.harness.wpt.expect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.MiniatureWpt;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestDiscovery;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestTimeout;
import dev.weblocks.harness.wpt.WptHosts;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations.Deviation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectationsTest {

  private static final String WINDOW = "/dir/a.any.html";
  private static final String WORKER = "/dir/a.any.worker.html";

  private final MiniatureWpt files =
      new MiniatureWpt().file("dir/a.any.js", "// META: global=window,worker,shadowrealm");

  private Expectations load(String json) throws Exception {
    files.file("expectations/dir/a.any.js.json", json.replace('\'', '"'));
    return Expectations.load(files.root().resolve("expectations"));
  }

  private static WptTest test(String id) {
    return new WptTest(
        id, "/dir/a.any.js", TestKind.ANY_WINDOW, TestTimeout.NORMAL, "http://h" + id, null);
  }

  private static TestResult result(String id, HarnessStatus status, SubtestResult... subtests) {
    return new TestResult(test(id), status, "about the file", List.of(subtests), Duration.ZERO);
  }

  private static SubtestResult subtest(String name, SubtestStatus status) {
    return new SubtestResult(name, status, "about " + name);
  }

  private void requireCurrent(Expectations expectations) throws Exception {
    TestDiscovery discovery = new TestDiscovery(files.root(), WptHosts.standard());
    expectations.requireCurrent(discovery::under, source -> true);
  }

  private void assertStale(String problem, String json) throws Exception {
    Expectations expectations = load(json);

    assertEquals(
        "/wpt/expectations/dir/a.any.js.json" + problem,
        assertThrows(
                Expectations.MalformedException.class, () -> requireCurrent(expectations), json)
            .getMessage());
  }

  @Test
  void without_a_directory_only_passes_are_expected() throws Exception {
    Expectations expectations = Expectations.load(files.root().resolve("absent"));

    assertEquals(
        List.of(),
        expectations.compare(result(WINDOW, HarnessStatus.OK, subtest("a", SubtestStatus.PASS))));
    assertEquals(
        List.of(
            new Deviation(WINDOW, null, "OK", "ERROR", "about the file"),
            new Deviation(WINDOW, "a", "PASS", "TIMEOUT", "about a")),
        expectations.compare(
            result(WINDOW, HarnessStatus.ERROR, subtest("a", SubtestStatus.TIMEOUT))));
  }

  @Test
  void expected_failures_match_and_an_unexpected_pass_is_a_deviation() throws Exception {
    Expectations expectations =
        load(
            """
            {'/dir/a.any.html': {'status': 'TIMEOUT', 'reason': 'slow', 'link': 'https://x.org/',
              'subtests': {
                'a': {'status': 'FAIL', 'reason': 'known', 'link': 'A.md'},
                'lone \\ud800': {'status': 'NOTRUN', 'reason': 'known', 'link': 'A.md#b'}}}}
            """);

    assertEquals(
        List.of(),
        expectations.compare(
            result(
                WINDOW,
                HarnessStatus.TIMEOUT,
                subtest("a", SubtestStatus.FAIL),
                subtest("lone \ud800", SubtestStatus.NOTRUN))));
    assertEquals(
        List.of(
            new Deviation(WINDOW, null, "TIMEOUT", "OK", "about the file"),
            new Deviation(WINDOW, "a", "FAIL", "PASS", "about a"),
            new Deviation(WINDOW, "lone \ud800", "NOTRUN", "MISSING", null)),
        expectations.compare(result(WINDOW, HarnessStatus.OK, subtest("a", SubtestStatus.PASS))));
  }

  @Test
  void flaky_test_may_have_only_its_listed_statuses() throws Exception {
    Expectations expectations =
        load(
            """
            {'/dir/a.any.html': {
              'status': 'FLAKY', 'statuses': ['OK', 'CRASH'], 'reason': 'r', 'link': 'A.md',
              'subtests': {'a': {
                'status': 'FLAKY', 'statuses': ['FAIL', 'PASS'], 'reason': 'r', 'link': 'A.md'}}}}
            """);

    for (SubtestStatus status : List.of(SubtestStatus.PASS, SubtestStatus.FAIL)) {
      for (HarnessStatus whole : List.of(HarnessStatus.OK, HarnessStatus.CRASH)) {
        assertEquals(List.of(), expectations.compare(result(WINDOW, whole, subtest("a", status))));
      }
    }
    assertEquals(
        List.of(
            new Deviation(WINDOW, null, "OK or CRASH", "ERROR", "about the file"),
            new Deviation(WINDOW, "a", "FAIL or PASS", "TIMEOUT", "about a")),
        expectations.compare(
            result(WINDOW, HarnessStatus.ERROR, subtest("a", SubtestStatus.TIMEOUT))));
    assertEquals(
        List.of(new Deviation(WINDOW, "a", "FAIL or PASS", "MISSING", null)),
        expectations.compare(result(WINDOW, HarnessStatus.OK)));
    assertEquals(
        List.of(SubtestStatus.FAIL, SubtestStatus.PASS), expectations.expected(test(WINDOW), "a"));
  }

  @Test
  void timeout_is_expected_only_without_an_alternative_status() throws Exception {
    Expectations expectations =
        load(
            """
            {'/dir/a.any.html': {'status': 'TIMEOUT', 'reason': 'r', 'link': 'A.md'},
             '/dir/a.any.worker.html': {'status': 'FLAKY', 'statuses': ['TIMEOUT', 'OK'],
               'reason': 'r', 'link': 'A.md'}}
            """);

    assertTrue(expectations.expectTimeout(test(WINDOW)));
    assertFalse(expectations.expectTimeout(test(WORKER)));
  }

  @Test
  void skipped_subtest_may_have_any_status_but_must_exist() throws Exception {
    Expectations expectations =
        load(
            """
            {'*': {'subtests': {'a': {'status': 'SKIP', 'reason': 'r', 'link': 'A.md'}}}}
            """);

    for (SubtestStatus status : SubtestStatus.values()) {
      assertEquals(
          List.of(), expectations.compare(result(WINDOW, HarnessStatus.OK, subtest("a", status))));
    }
    assertEquals(
        List.of(new Deviation(WINDOW, "a", "SKIP", "MISSING", null)),
        expectations.compare(result(WINDOW, HarnessStatus.OK)));
  }

  @Test
  void skipped_test_is_not_run_and_has_a_reason() throws Exception {
    files.file(
        "expectations/reasons.json", "{\"loops\": {\"reason\": \"for ever\", \"link\": \"A.md\"}}");
    Expectations expectations = load("{'/dir/a.any.html': {'status': 'SKIP', 'because': 'loops'}}");

    assertFalse(expectations.runs(test(WINDOW)));
    assertTrue(expectations.runs(test(WORKER)));
    assertEquals(Optional.of(new Reason("for ever", "A.md")), expectations.skipped(test(WINDOW)));
    assertEquals(Optional.empty(), expectations.skipped(test(WORKER)));
    assertEquals(Optional.empty(), expectations.reason(test(WORKER)));
  }

  @Test
  void star_entry_applies_to_tests_without_their_own_entry() throws Exception {
    Expectations expectations =
        load(
            """
            {'*': {'status': 'ERROR', 'reason': 'r', 'link': 'A.md',
                'subtests': {'a': {'status': 'FAIL', 'reason': 'r', 'link': 'A.md'}}},
              '/dir/a.any.worker.html':
                {'subtests': {'b': {'status': 'FAIL', 'reason': 'r', 'link': 'A.md'}}},
              '/dir/a.any.sharedworker.html': {}}
            """);

    assertEquals(
        List.of(),
        expectations.compare(
            result(WINDOW, HarnessStatus.ERROR, subtest("a", SubtestStatus.FAIL))));
    assertEquals(
        List.of(),
        expectations.compare(
            result(
                WORKER,
                HarnessStatus.OK,
                subtest("a", SubtestStatus.PASS),
                subtest("b", SubtestStatus.FAIL))));
    assertEquals(Optional.of(new Reason("r", "A.md")), expectations.reason(test(WINDOW)));
    assertEquals(Optional.of(new Reason("r", "A.md")), expectations.reason(test(WINDOW), "a"));
    assertEquals(Optional.empty(), expectations.reason(test(WORKER), "a"));
    assertEquals(
        List.of(),
        expectations.compare(
            result(
                "/dir/a.any.sharedworker.html",
                HarnessStatus.OK,
                subtest("a", SubtestStatus.PASS))));
    requireCurrent(expectations);
  }

  @Test
  void entry_whose_test_does_not_exist_is_stale() throws Exception {
    assertStale(
        ":2:2: '/dir/a.any.htm' is stale: /dir/a.any.js does not have this test, only"
            + " /dir/a.any.html, /dir/a.any.serviceworker.html,"
            + " /dir/a.any.shadowrealm-in-dedicatedworker.html, …",
        """
        {'/dir/a.any.html': {'status': 'ERROR', 'reason': 'r', 'link': 'A.md'},
         '/dir/a.any.htm': {'status': 'ERROR', 'reason': 'r', 'link': 'A.md'}}
        """);
  }

  @Test
  void star_entry_that_matches_no_test_is_stale() throws Exception {
    files.file("dir/a.any.js", "// META: global=window");

    assertStale(
        ":1:2: '*' is stale: each test has its own entry",
        "{'*': {'status': 'ERROR', 'reason': 'r', 'link': 'A.md'}, '/dir/a.any.html': {}}");
  }

  @Test
  void file_without_tests_is_stale_unless_its_source_is_missing() throws Exception {
    Expectations expectations = load("{'*': {'status': 'ERROR', 'reason': 'r', 'link': 'A.md'}}");
    SourceTests noTests = source -> List.of();

    expectations.requireCurrent(noTests, source -> !source.equals("/dir/a.any.js"));
    assertEquals(
        "/wpt/expectations/dir/a.any.js.json is stale: '/dir/a.any.js' has no test; delete" + " it",
        assertThrows(
                Expectations.MalformedException.class,
                () -> expectations.requireCurrent(noTests, source -> true))
            .getMessage());
  }
}
