package dev.weblocks.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the exported packages: regions of test classes, which run. */
class JavadocExamplesTest {

  private static final Path SOURCES = Path.of("src/library/src/main/java");
  private static final Path TESTS = Path.of("src/library/src/test/java");
  private static final List<String> EXPORTED = List.of("dev/weblocks/embed", "dev/weblocks/model");

  /** Listeners of one lambda, which examples of other types show; and a type of the cluster. */
  private static final Set<String> WITHOUT_EXAMPLE =
      Set.of("ConsoleListener", "ErrorListener", "LimitListener", "LockBackend", "UserAgentMXBean");

  private static final Pattern SNIPPET =
      Pattern.compile("\\{@snippet file=\"([^\"]*)\" region=\"([^\"]*)\"}");

  private static List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.list(SOURCES.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  @Test
  void each_snippet_is_one_region_of_a_test_class() throws IOException {
    List<String> problems = new ArrayList<>();
    int snippets = 0;
    for (String folder : EXPORTED) {
      for (Path file : files(folder)) {
        String text = Files.readString(file);
        Matcher matcher = SNIPPET.matcher(text);
        int count = 0;
        while (matcher.find()) {
          count++;
          Path test = TESTS.resolve(matcher.group(1));
          String start = "// @start region=\"" + matcher.group(2) + "\"\n";
          if (!test.toString().endsWith("Test.java")
              || Files.readString(test).split(Pattern.quote(start), -1).length != 2) {
            problems.add(file + ": " + matcher.group());
          }
        }
        if (text.contains("<pre>") || text.split("\\{@snippet", -1).length != count + 1) {
          problems.add(file + " has an example that is no region of a file");
        }
        snippets += count;
      }
    }
    assertEquals(List.of(), problems);
    assertTrue(snippets > 20, "only " + snippets + " snippets were read");
  }

  @Test
  void each_type_with_behaviour_has_an_example() throws Exception {
    List<String> without = new ArrayList<>();
    for (String folder : EXPORTED) {
      for (Path file : files(folder)) {
        String name = file.getFileName().toString().replace(".java", "");
        if (!name.equals("package-info")) {
          Class<?> type = Class.forName(folder.replace('/', '.') + "." + name);
          String text = Files.readString(file);
          String description = text.substring(0, text.indexOf("\npublic ") + 1);
          if (!description.isEmpty()
              && !type.isRecord()
              && !type.isEnum()
              && !Throwable.class.isAssignableFrom(type)
              && !WITHOUT_EXAMPLE.contains(name)
              && !SNIPPET.matcher(description).find()) {
            without.add(name);
          }
        }
      }
    }
    assertEquals(List.of(), without);
  }
}
