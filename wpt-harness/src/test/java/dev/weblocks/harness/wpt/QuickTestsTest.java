package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lists of WPT tests that {@code scripts/test} runs, compared with the fetched files. */
class QuickTestsTest {

  private static final Path LISTS = Path.of("wpt-subset/tests");

  private TestManifest manifest;

  @BeforeEach
  void find_wpt() throws IOException {
    manifest = new TestManifest(Fetched.wpt(), WptHosts.standard());
  }

  private static List<String> lines(String list, Predicate<String> chosen) throws IOException {
    return Files.readAllLines(LISTS.resolve(list)).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .filter(chosen)
        .toList();
  }

  private static List<String> leftOut() throws IOException {
    return lines("full", line -> line.startsWith("!")).stream()
        .map(line -> line.substring(1))
        .toList();
  }

  private Set<WptTest> full() throws Exception {
    TestSelection selection =
        new TestSelection(
            lines("full", line -> !line.startsWith("!")), leftOut(), List.of(), List.of());
    return manifest.select(selection).stream()
        .filter(WptTest::supported)
        .collect(Collectors.toSet());
  }

  private Set<WptTest> quick() throws Exception {
    Set<WptTest> tests = Set.copyOf(manifest.select(lines("quick", line -> true)));
    assertTrue(tests.stream().allMatch(WptTest::supported), tests::toString);
    return tests;
  }

  private static <T> Set<T> each(Set<WptTest> tests, Function<WptTest, T> what) {
    return tests.stream().map(what).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String directory(WptTest test) {
    String path = test.id().replaceFirst("[?].*", "");
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  @Test
  void full_list_runs_each_pinned_test_that_it_does_not_leave_out() throws Exception {
    TestSelection all = new TestSelection(List.of(), leftOut(), List.of(), List.of());
    Set<WptTest> missed = new HashSet<>(manifest.select(all));
    missed.removeIf(test -> !test.supported());
    missed.removeAll(full());
    assertEquals(Set.of(), each(missed, QuickTestsTest::directory));
  }

  @Test
  void quick_list_has_a_test_of_each_directory_of_the_full_list() throws Exception {
    Set<WptTest> others = full();
    others.removeIf(test -> test.id().startsWith("/web-locks/")); // the quick list has all of them
    assertEquals(each(others, QuickTestsTest::directory), each(quick(), QuickTestsTest::directory));
  }

  @Test
  void quick_list_has_a_test_of_each_kind_of_the_full_list() throws Exception {
    Set<TestKind> kinds = EnumSet.copyOf(each(full(), WptTest::kind));
    assertTrue(kinds.containsAll(EnumSet.of(TestKind.PAGE, TestKind.CRASHTEST)), kinds::toString);
    assertEquals(kinds, EnumSet.copyOf(each(quick(), WptTest::kind)));
  }

  @Test
  void quick_list_has_a_variant_and_a_script_in_an_html_comment() throws Exception {
    Set<String> ids = each(quick(), WptTest::id);
    assertTrue(ids.stream().anyMatch(id -> id.contains("?")), ids::toString);
    assertTrue(ids.contains("/webmessaging/broadcastchannel/opaque-origin.html"), ids::toString);
  }

  @Test
  void quick_list_names_each_test_once() throws Exception {
    List<String> lines = lines("quick", line -> true);
    assertEquals(lines.size(), Set.copyOf(lines).size());
    assertEquals(lines.size(), quick().size());
  }
}
