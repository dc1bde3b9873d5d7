package dev.weblocks.harness.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words of comments and test names in all sources of the project. */
class PlainWordsTest {

  private static final List<String> FOLDERS =
      List.of(
          "src/library/src",
          "src/cluster/src",
          "src/explore/src",
          "src/testing/src",
          "src/benchmarks/src",
          "src/examples",
          "wpt-harness/src");

  /** Strings and comments of Java and JavaScript; the first group is a comment. */
  private static final Pattern COMMENTS =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`"
              + "|(/\\*.*?\\*/|//[^\n]*)",
          Pattern.DOTALL);

  /** Words for people, of objects that act like people, and words that few readers know. */
  private static final Pattern PEOPLE =
      Pattern.compile(
          "\\b(who|whoever|whom|whomever|nobody|somebody|someone|everybody|everyone|anybody|anyone"
              + "|tells|told|asks|asked|hears|heard|wants|lest|shall|whereby|thereof)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern TEST_NAME = Pattern.compile("void ([a-z0-9]+(?:_[a-z0-9]+)+)\\(");
  private static final Pattern WHAT = Pattern.compile("/\\*\\*[\\s*]*What\\b");

  private static List<String> problems(String text) {
    List<String> problems = new ArrayList<>();
    Matcher matcher = COMMENTS.matcher(text);
    while (matcher.find()) {
      String comment = matcher.group(1);
      if (comment != null) {
        Matcher people = PEOPLE.matcher(comment);
        if (people.find()) {
          problems.add("'" + people.group() + "' in: " + comment.strip());
        }
        if (WHAT.matcher(comment).find()) {
          problems.add("begins with 'What': " + comment.strip());
        }
      }
    }
    return problems;
  }

  @Test
  void comments_name_no_people_and_do_not_begin_with_what() throws IOException {
    List<String> problems = new ArrayList<>();
    int read = 0;
    for (String folder : FOLDERS) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        for (Path file :
            files.filter(each -> each.toString().matches(".*\\.(java|js|mjs)")).sorted().toList()) {
          read++;
          problems(Files.readString(file)).forEach(each -> problems.add(file + ": " + each));
        }
      }
    }
    assertTrue(read > 1_000, "only " + read + " files were read");
    assertEquals("", String.join("\n", problems));
  }

  @Test
  void test_names_have_at_most_twelve_words() throws IOException {
    List<String> names = new ArrayList<>();
    for (String folder :
        List.of(
            "src/library/src/test/java",
            "src/explore/src/test/java",
            "wpt-harness/src/test/java")) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        for (Path file :
            files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
          TEST_NAME
              .matcher(Files.readString(file))
              .results()
              .map(result -> result.group(1))
              .forEach(names::add);
        }
      }
    }
    assertTrue(names.size() > 2_000, "only " + names.size() + " names were read");
    assertEquals(
        List.of(), names.stream().filter(each -> each.split("_", -1).length > 12).toList());
  }

  @Test
  void forbidden_words_are_found_in_comments_but_not_in_strings() {
    assertEquals(1, problems("/** Gives it to whoever asks. */ String a = \"nobody\";").size());
    assertEquals(1, problems("/**\n * What it is.\n */ int a;").size());
    assertEquals(1, problems("int a; // lest it fails").size());
    assertEquals(1, problems("int a; // it is told of the end").size());
    assertEquals(0, problems("String a = \"\"\"\n // whom \n\"\"\"; /** Whether it is. */").size());
  }
}
