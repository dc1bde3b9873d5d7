package dev.weblocks.harness.wpt.expect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.weblocks.harness.wpt.MiniatureWpt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expectations of this repository, and their published schemas. */
class PublishedExpectationsTest {

  private static final Path DIRECTORY = Path.of("wpt-subset/expectations");

  private final JsonMapper json = JsonMapper.builder().build();

  private JsonSchema schema(String name) throws IOException {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(json.readTree(Files.readString(DIRECTORY.resolve(name))));
  }

  private static List<Path> files() throws IOException {
    return ExpectationFile.in(DIRECTORY);
  }

  @Test
  void all_files_are_valid_by_the_schemas() throws Exception {
    JsonSchema schema = schema("schema.json");
    assertTrue(files().size() > 100, "there are files");
    for (Path file : files()) {
      assertEquals(
          Set.of(), schema.validate(json.readTree(Files.readString(file))), file::toString);
    }
    assertEquals(
        Set.of(),
        schema("reasons.schema.json")
            .validate(json.readTree(Files.readString(DIRECTORY.resolve("reasons.json")))));
  }

  @Test
  void all_files_are_valid_and_in_canonical_format() throws Exception {
    Expectations.load(DIRECTORY);
    Reasons reasons = Reasons.read(DIRECTORY);
    for (Path file : files()) {
      assertEquals(
          ExpectationText.of(ExpectationFile.read(DIRECTORY, file, reasons, false).tests()),
          Files.readString(file),
          file::toString);
    }
  }

  @Test
  void example_of_the_documentation_is_valid() throws Exception {
    String text = Files.readString(Path.of("wpt-harness/README.md"));
    String example =
        text.substring(
            text.indexOf("```json\n") + "```json\n".length(), text.indexOf("\n```\n\n|"));

    assertEquals(Set.of(), schema("schema.json").validate(json.readTree(example)));
    assertTrue(accepted(example.replace("no-canvas", "known")));
  }

  @Test
  void links_into_the_repository_have_targets() throws Exception {
    Reasons reasons = Reasons.read(DIRECTORY);
    Stream<Reason> ofFiles = Stream.empty();
    for (Path file : files()) {
      ofFiles =
          Stream.concat(
              ofFiles,
              ExpectationFile.read(DIRECTORY, file, reasons, false).tests().values().stream()
                  .flatMap(TestEntry::entries)
                  .flatMap(entry -> reasons.resolve(entry.because()).stream()));
    }
    Set<String> links =
        Stream.concat(ofFiles, reasons.byName().values().stream())
            .map(Reason::link)
            .filter(link -> !link.startsWith("https:"))
            .collect(Collectors.toSet());
    assertTrue(links.contains("docs/DEVIATIONS.md#web-idl-and-javascript"));
    for (String link : links) {
      String[] parts = link.split("#", 2);
      assertTrue(Files.isRegularFile(Path.of(parts[0])), link);
      if (parts.length == 2) {
        assertTrue(anchors(Path.of(parts[0])).contains(parts[1]), link);
      }
    }
  }

  /** Returns the anchors that Markdown renderers make of headings. */
  private static Set<String> anchors(Path markdown) throws IOException {
    Pattern heading = Pattern.compile("#+ +(.*)");
    try (Stream<String> lines = Files.lines(markdown)) {
      return lines
          .map(heading::matcher)
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1).toLowerCase(Locale.ROOT))
          .map(text -> text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
          .collect(Collectors.toSet());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'/t': {'status': 'ERROR', 'because': 'known'}}",
        "{'/t': {'status': 'SKIP', 'because': 'known'}}",
        "{'/t?a': {'status': 'ERROR', 'reason': 'r', 'link': 'dir/A.md#b-c'}}",
        "{'*': {'status': 'ERROR', 'because': 'known'}, '/t': {}}",
        "{'*': {'status': 'FLAKY', 'statuses': ['OK', 'CRASH'], 'because': 'known',"
            + " 'subtests': {'': {'status': 'FAIL', 'because': 'known'},"
            + " '\\ud800': {'status': 'SKIP', 'because': 'known'},"
            + " 'f': {'status': 'FLAKY', 'statuses': ['PASS', 'FAIL'], 'reason': 'r',"
            + " 'link': 'https://x.org/#(a=b)'}}}}",
      })
  void schema_accepts_the_same_as_the_command(String text) throws Exception {
    assertTrue(accepted(text));
    assertEquals(Set.of(), schema("schema.json").validate(json.readTree(text.replace('\'', '"'))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{'t': {'status': 'ERROR', 'because': 'known'}}",
        "{'*a': {'status': 'ERROR', 'because': 'known'}}",
        "{'/t': {}}",
        "{'*': {}}",
        "{'/t': {'status': 'FAIL', 'because': 'known'}}",
        "{'/t': {'status': 'ERROR'}}",
        "{'/t': {'because': 'known'}}",
        "{'/t': {'status': 'ERROR', 'because': ''}}",
        "{'/t': {'status': 'ERROR', 'because': 'known', 'x': 1}}",
        "{'/t': {'status': 'ERROR', 'because': 'known', 'link': 'A.md'}}",
        "{'/t': {'status': 'ERROR', 'reason': '', 'link': 'A.md'}}",
        "{'/t': {'status': 'ERROR', 'reason': 'r'}}",
        "{'/t': {'status': 'ERROR', 'reason': 'r', 'link': '/A.md'}}",
        "{'/t': {'status': 'ERROR', 'reason': 'r', 'link': 'http://x.org/'}}",
        "{'/t': {'status': 'FLAKY', 'because': 'known'}}",
        "{'/t': {'status': 'FLAKY', 'statuses': ['OK'], 'because': 'known'}}",
        "{'/t': {'status': 'FLAKY', 'statuses': ['OK', 'OK'], 'because': 'known'}}",
        "{'/t': {'status': 'FLAKY', 'statuses': ['OK', 'FAIL'], 'because': 'known'}}",
        "{'/t': {'status': 'CRASH', 'statuses': ['OK', 'CRASH'], 'because': 'known'}}",
        "{'/t': {'status': 'SKIP', 'because': 'known',"
            + " 'subtests': {'s': {'status': 'FAIL', 'because': 'known'}}}}",
        "{'/t': {'subtests': {}}}",
        "{'/t': {'subtests': {'s': {'status': 'PASS', 'because': 'known'}}}}",
        "{'/t': {'subtests': {'s': {'status': 'CRASH', 'because': 'known'}}}}",
        "{'/t': {'subtests': {'s': {'because': 'known'}}}}",
        "{'/t': {'subtests': {'s': {'status': 'FAIL'}}}}",
        "{'/t': {'subtests': {'s': {'status': 'FLAKY', 'because': 'known'}}}}",
      })
  void schema_refuses_the_same_as_the_command(String text) throws Exception {
    assertFalse(accepted(text));
    assertFalse(
        schema("schema.json").validate(json.readTree(text.replace('\'', '"'))).isEmpty(), text);
  }

  private static boolean accepted(String text) throws IOException {
    MiniatureWpt files =
        new MiniatureWpt().file("expectations/dir/a.any.js.json", text.replace('\'', '"'));
    Reasons reasons = new Reasons(Map.of("known", new Reason("one knows", "A.md")), Map.of());
    Path directory = files.root().resolve("expectations");
    try {
      ExpectationFile.read(directory, directory.resolve("dir/a.any.js.json"), reasons, false);
      return true;
    } catch (Expectations.MalformedException e) {
      return false;
    }
  }
}
