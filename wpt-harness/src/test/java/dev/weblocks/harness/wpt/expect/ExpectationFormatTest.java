package dev.weblocks.harness.wpt.expect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.weblocks.harness.wpt.MiniatureWpt;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid contents of expectation files, and the positions in messages. */
class ExpectationFormatTest {

  private static final String FILE = "/wpt/expectations/dir/a.any.js.json";

  private final MiniatureWpt files =
      new MiniatureWpt()
          .file(
              "expectations/reasons.json",
              "{\"known\": {\"reason\": \"one knows\", \"link\": \"https://example.org/#it\"}}");

  private static String refused(MiniatureWpt files) {
    String message =
        String.valueOf(
            assertThrows(
                    Expectations.MalformedException.class,
                    () -> Expectations.load(files.root().resolve("expectations")))
                .getMessage());
    assertEquals(1, message.lines().count(), message);
    return message;
  }

  private String refused(String... lines) {
    return refused(files.file("expectations/dir/a.any.js.json", lines));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|1:1: the file is a list: an object is needed",
        "{}|1:1: the file has no entries: delete it",
        "{'t': {}}|1:2: the key 't' is neither a test's id nor '*'",
        "{'/t': []}|1:8: '/t' is a list: an object is needed",
        "{'/t': {}}|1:2: '/t' is empty, and there is no '*' to override: delete it",
        "{'*': {}}|1:2: '*' is empty, and there is no '*' to override: delete it",
        "{'/t': {'stauts': 'FAIL'}}|1:9: unknown key 'stauts': use because, link, reason, status,"
            + " statuses or subtests",
        "{'/t': {'because': 'known'}}|1:9: 'because' needs a status beside it",
        "{'/t': {'status': 'FAIL', 'because': 'known'}}|1:19: status is 'FAIL': ERROR, TIMEOUT,"
            + " PRECONDITION_FAILED, CRASH, FLAKY or SKIP is needed",
        "{'/t': {'status': 'OK', 'because': 'known'}}|1:19: status is 'OK': ERROR, TIMEOUT,"
            + " PRECONDITION_FAILED, CRASH, FLAKY or SKIP is needed",
        "{'/t': {'status': 3, 'because': 'known'}}|1:19: status is 3: a string is needed",
        "{'/t': {'status': null}}|1:19: status is null: a string is needed",
        "{'/t': {'status': 'ERROR'}}|1:8: the reason is missing: use 'because' with a name of"
            + " reasons.json, or 'reason' and 'link'",
        "{'/t': {'status': 'ERROR', 'because': ''}}|1:39: the reason is empty:"
            + " use 'because' with a name of reasons.json, or 'reason' and 'link'",
        "{'/t': {'status': 'ERROR', 'because': 'knwon'}}|1:39: unknown reason 'knwon' in"
            + " reasons.json; similar names: known",
        "{'/t': {'status': 'ERROR', 'because': 'something else'}}|1:39: unknown reason"
            + " 'something else' in reasons.json",
        "{'/t': {'status': 'ERROR', 'because': 'known', 'link': 'A.md'}}|1:48: 'because' is given"
            + " too: use either 'because', or 'reason' and 'link'",
        "{'/t': {'status': 'ERROR', 'reason': ' ', 'link': 'A.md'}}|1:38: the reason is missing",
        "{'/t': {'status': 'ERROR', 'reason': 'r'}}|1:8: the link of the reason is missing",
        "{'/t': {'status': 'ERROR', 'reason': 'r', 'link': 'http://x.org'}}|1:51: link is"
            + " 'http://x.org': an https URL is needed, or the path of a .md file from the"
            + " repository's root",
        "{'/t': {'status': 'ERROR', 'reason': 'r', 'link': '../A.md'}}|1:51: link is '../A.md': an"
            + " https URL is needed, or the path of a .md file from the repository's root",
        "{'/t': {'status': 'FLAKY', 'because': 'known'}}|1:8: FLAKY needs 'statuses', a list of"
            + " the expected statuses",
        "{'/t': {'status': 'FLAKY', 'statuses': 'OK', 'because': 'known'}}|1:40: statuses is 'OK':"
            + " a list is needed",
        "{'/t': {'status': 'FLAKY', 'statuses': ['OK'], 'because': 'known'}}|1:40: statuses needs"
            + " at least two statuses",
        "{'/t': {'status': 'FLAKY', 'statuses': ['OK', 'OK'], 'because': 'known'}}|1:47: the status"
            + " OK is given twice",
        "{'/t': {'status': 'FLAKY', 'statuses': ['OK', 'FAIL'], 'because': 'known'}}|1:47: one of"
            + " the statuses is 'FAIL': OK, PASS, ERROR, TIMEOUT, PRECONDITION_FAILED or CRASH is"
            + " needed",
        "{'/t': {'status': 'ERROR', 'statuses': ['OK', 'ERROR'], 'because': 'known'}}|1:28:"
            + " 'statuses' is only for the status FLAKY",
        "{'/t': {'status': 'SKIP', 'because': 'known', 'subtests': {}}}|1:47: a skipped test has"
            + " no subtests: leave them out",
        "{'/t': {'subtests': []}}|1:21: subtests is a list: an object is needed",
        "{'/t': {'subtests': {}}}|1:21: subtests is empty",
        "{'/t': {'subtests': {'s': true}}}|1:27: 's' is true: an object is needed",
        "{'/t': {'subtests': {'s': {}}}}|1:27: the status is missing: FAIL, TIMEOUT, NOTRUN,"
            + " PRECONDITION_FAILED, FLAKY or SKIP is needed",
        "{'/t': {'subtests': {'s': {'status': 'PASS', 'because': 'known'}}}}|1:38: status is"
            + " 'PASS': FAIL, TIMEOUT, NOTRUN, PRECONDITION_FAILED, FLAKY or SKIP is needed",
        "{'/t': {'subtests': {'s': {'status': 'FAIL', 'intermittent': true}}}}|1:46: unknown key"
            + " 'intermittent': use because, link, reason, status or statuses",
        "{'/t': {'subtests': {'a\\nb\\ud800': 1}}}|1:36: 'a\\u000abU+d800' is 1: an object is"
            + " needed",
        "{'/t': 1} {}|1:11: unexpected text after the end of the object"
      })
  void invalid_content_is_refused_with_its_position(String json, String problem) {
    // Apostrophes in the JSON stand for quotes; those in the problem do not.
    assertEquals(FILE + ":" + problem, refused(json.replace('\'', '"')));
  }

  @Test
  void error_has_the_line_and_column_of_the_value() {
    assertEquals(
        FILE
            + ":4:27: status is 'FIAL': FAIL, TIMEOUT, NOTRUN, PRECONDITION_FAILED, FLAKY or SKIP"
            + " is needed",
        refused(
            "{",
            "  \"/dir/a.any.html\": {",
            "    \"subtests\": {",
            "      \"\ud83d\ude00 a\": { \"status\": \"FIAL\", \"because\": \"known\" }",
            "    }",
            "  }",
            "}"));
  }

  @Test
  void duplicate_key_is_refused_in_every_object() {
    String entry = "{\"status\": \"ERROR\", \"because\": \"known\"}";
    assertEquals(
        FILE + ":3:2: the key '/t' is given twice, first on line 1",
        refused("{\"/t\": " + entry + ",", "", " \"/t\": " + entry + "}"));
    assertEquals(
        FILE + ":2:1: the key 'status' is given twice, first on line 1",
        refused("{\"/t\": {\"status\": \"ERROR\",", "\"status\": \"ERROR\"}}"));
    assertEquals(
        FILE + ":1:28: the key 's' is given twice, first on line 1",
        refused("{\"/t\": {\"subtests\": {\"s\":1,\"s\":2}}}"));
  }

  @Test
  void malformed_json_is_refused_with_its_position() {
    assertEquals(
        FILE
            + ":2:17: Unrecognized token 'nonsense': was expecting (JSON String, Number, Array,"
            + " Object or token 'null', 'true' or 'false')",
        refused("{", "  \"/a\": nonsense}"));
    assertTrue(refused("{\"/a\": {").startsWith(FILE + ":1:"));
    assertEquals(
        FILE + ":2:2: unexpected text after the end of the object",
        refused("{\"*\": {\"status\": \"ERROR\", \"because\": \"known\"}}", " {}"));
  }

  @Test
  void a_file_that_is_empty_or_not_utf_8_is_refused() {
    assertEquals(FILE + ":1:1: the file is empty: an object is needed", refused(""));
    assertEquals(FILE + ":1:1: the file is empty: an object is needed", refused("", " "));
    assertEquals(
        FILE + ":1:1: the file begins with a byte order mark: save it without one",
        refused("\ufeff{}"));
    byte[] bytes = "{\n \"/äx\": {}}".getBytes(StandardCharsets.UTF_8);
    bytes[7] = (byte) 0xff; // the x
    files.bytes("expectations/dir/a.any.js.json", bytes);
    assertEquals(FILE + ":2:5: the byte 0xff is not UTF-8", refused(files));
  }

  @Test
  void deep_nesting_is_refused_with_a_message() {
    assertTrue(refused("[".repeat(100_000)).startsWith(FILE + ":1:"));
  }

  @Test
  void file_in_place_of_a_directory_or_vice_versa_is_refused() {
    files.file("expectations/dir/a.any.js.json/x", "");
    assertEquals(FILE + " is a directory: a file is needed", refused(files));
    assertEquals(
        "/wpt/expectations is not a directory",
        refused(new MiniatureWpt().file("expectations", "")));
  }

  @Test
  void a_file_without_permission_is_refused(@TempDir Path dir) throws Exception {
    Path directory = Files.createDirectory(dir.resolve("expectations"));
    Path file =
        Files.createFile(
            directory.resolve("reasons.json"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
    assumeFalse(Files.isReadable(file), "the superuser may read everything");

    assertEquals(
        file + " cannot be read: permission denied",
        assertThrows(Expectations.MalformedException.class, () -> Expectations.load(directory))
            .getMessage());
  }

  @Test
  void invalid_reasons_are_refused_with_their_position() {
    String file = "/wpt/expectations/reasons.json";
    files.file("expectations/reasons.json", "{\"Not good\": {}}");
    assertEquals(
        file
            + ":1:2: the name 'Not good' is not made of words of lower-case letters and"
            + " digits, joined by dashes",
        refused(files));
    files.file("expectations/reasons.json", "{\"a\": {\"reason\": \"r\", \"url\": \"A.md\"}}");
    assertEquals(file + ":1:23: unknown key 'url': use link or reason", refused(files));
    files.file("expectations/reasons.json", "{\"a\": {\"link\": \"A.md\"}}");
    assertEquals(file + ":1:7: the reason is missing", refused(files));
    files.file("expectations/reasons.json", "{\"a\": {\"reason\": \"r\", \"link\": \"A.md\"}}");
    assertEquals(file + ":1:2: the reason 'a' is unused: delete it", refused(files));
  }

  @Test
  void two_expectation_files_for_one_test_are_refused() {
    String json = "{\"/dir/a.any.html\": {\"status\": \"ERROR\", \"because\": \"known\"}}";
    files.file("expectations/b.json", json);

    assertEquals(
        FILE + ":1:2: '/dir/a.any.html' also has expectations in /wpt/expectations/b.json",
        refused(json));
  }

  @Test
  void hidden_files_and_schemas_are_ignored() throws Exception {
    MiniatureWpt wpt =
        new MiniatureWpt()
            .file("expectations/dir/.a.json.0.part", "{")
            .file("expectations/dir/.a.json", "{")
            .file("expectations/schema.json", "{")
            .file("expectations/reasons.schema.json", "{");

    assertFalse(
        Files.exists(wpt.root().resolve("expectations/reasons.json")), "none is needed either");
    Expectations.load(wpt.root().resolve("expectations"));
  }
}
