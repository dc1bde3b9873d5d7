package dev.weblocks.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.wpt.Expectations.Deviation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectationsTest {

  private static final String ID = "/dir/a.any.html";

  private final MiniatureWpt files = new MiniatureWpt();

  private Expectations load(String... lines) throws Exception {
    files.file("expectations/dir/a.any.js.json", lines);
    return Expectations.load(files.root().resolve("expectations"));
  }

  private static TestResult result(HarnessStatus status, SubtestResult... subtests) {
    WptTest test =
        new WptTest(
            ID, "/dir/a.any.js", TestKind.ANY_WINDOW, TestTimeout.NORMAL, "http://h" + ID, null);
    return new TestResult(test, status, "about the file", List.of(subtests), Duration.ZERO);
  }

  private static SubtestResult subtest(String name, SubtestStatus status) {
    return new SubtestResult(name, status, "about " + name);
  }

  @Test
  void intermittent_subtest_may_pass_as_well_and_nothing_else() throws Exception {
    Expectations expectations =
        load(
            "{'/dir/a.any.html': {'subtests': {'a': {'status': 'FAIL', 'reason': 'r',"
                .replace('\'', '"'),
            "'intermittent': true}}}}".replace('\'', '"'));

    for (SubtestStatus status : List.of(SubtestStatus.PASS, SubtestStatus.FAIL)) {
      assertEquals(List.of(), expectations.compare(result(HarnessStatus.OK, subtest("a", status))));
    }
    assertEquals(
        1,
        expectations.compare(result(HarnessStatus.OK, subtest("a", SubtestStatus.TIMEOUT))).size());
  }

  @Test
  void without_a_directory_every_pass_is_expected_and_nothing_else() throws Exception {
    Expectations expectations = Expectations.load(files.root().resolve("absent"));

    assertEquals(
        List.of(),
        expectations.compare(result(HarnessStatus.OK, subtest("a", SubtestStatus.PASS))));
    assertEquals(
        List.of(
            new Deviation(ID, null, "OK", "ERROR", "about the file"),
            new Deviation(ID, "a", "PASS", "TIMEOUT", "about a")),
        expectations.compare(result(HarnessStatus.ERROR, subtest("a", SubtestStatus.TIMEOUT))));
  }

  @Test
  void expected_statuses_count_and_an_unexpected_pass_is_a_deviation() throws Exception {
    Expectations expectations =
        load(
            "{\"" + ID + "\": {\"status\": \"TIMEOUT\", \"reason\": \"slow\", \"subtests\": {",
            "\"a\": {\"status\": \"FAIL\", \"reason\": \"known\"},",
            "\"lone \\ud800\": {\"status\": \"NOTRUN\", \"reason\": \"known\"}}}}");

    assertEquals(
        List.of(),
        expectations.compare(
            result(
                HarnessStatus.TIMEOUT,
                subtest("a", SubtestStatus.FAIL),
                subtest("lone \ud800", SubtestStatus.NOTRUN))));
    assertEquals(
        List.of(
            new Deviation(ID, null, "TIMEOUT", "OK", "about the file"),
            new Deviation(ID, "a", "FAIL", "PASS", "about a"),
            new Deviation(ID, "lone \ud800", "NOTRUN", "MISSING", null)),
        expectations.compare(result(HarnessStatus.OK, subtest("a", SubtestStatus.PASS))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"t\": {\"status\": \"ERROR\"}}|'t' has no reason",
        "{\"t\": {\"reason\": \"r\"}}|'t' has the status '': expected is any but OK and" + " PASS",
        "{\"t\": {\"status\": \"OK\", \"reason\": \"r\"}}|'t' has the status 'OK': expected is any"
            + " but OK and PASS",
        "{\"t\": {\"subtests\": {\"s\": {\"status\": \"FAIL\", \"reason\": \" \"}}}}|'t', subtest"
            + " 's' has no reason",
        "{\"t\": {\"subtests\": {\"s\": {\"status\": \"PASS\", \"reason\": \"r\"}}}}|'t', subtest"
            + " 's' has the status 'PASS': expected is any but PASS",
        "{\"t\": {\"stauts\": \"FAIL\"}}|'t' has the unknown key 'stauts'",
        "{\"t\": {\"subtests\": []}}|'t', subtests is not an object"
      })
  void a_file_that_makes_no_sense_is_refused_with_the_place(String json, String problem) {
    Expectations.MalformedException failure =
        assertThrows(Expectations.MalformedException.class, () -> load(json));

    String message = String.valueOf(failure.getMessage());
    assertEquals("/wpt/expectations/dir/a.any.js.json: " + problem, message);
  }

  @Test
  void broken_json_is_refused_with_file_and_line() {
    Expectations.MalformedException failure =
        assertThrows(Expectations.MalformedException.class, () -> load("{", "  \"a\": nonsense}"));

    assertTrue(
        String.valueOf(failure.getMessage()).startsWith("/wpt/expectations/dir/a.any.js.json:2: "),
        failure::getMessage);
  }

  @Test
  void two_files_about_one_test_are_refused() {
    files.file("expectations/other.json", "{\"" + ID + "\": {}}");

    assertThrows(Expectations.MalformedException.class, () -> load("{\"" + ID + "\": {}}"));
  }
}
