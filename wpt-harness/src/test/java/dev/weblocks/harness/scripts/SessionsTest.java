package dev.weblocks.harness.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check_sessions} of {@code scripts/lib.sh}. */
class SessionsTest {

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit fills it in
  private Path dir;

  @BeforeEach
  void require_bash() {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
  }

  /** Returns the line that is printed for each session of a file. */
  private List<String> check(String text) throws Exception {
    Path file = Files.writeString(dir.resolve("sessions.txt"), text);
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "program=test; . scripts/lib.sh; check_sessions \"$0\"",
                file.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertEquals(0, process.waitFor(), lines::toString);
    return lines;
  }

  @Test
  void ellipsis_in_expected_output_matches_any_text() throws Exception {
    assertEquals(
        List.of("as written: printf 'a 12 b\\nc\\nd\\n'"),
        check("$ printf 'a 12 b\\nc\\nd\\n'\na … b\n…\nd\n"));
  }

  @Test
  void differing_output_is_shown_beside_the_expected_output() throws Exception {
    List<String> said = check("$ echo b\na\n");
    assertEquals("not as written: echo b", said.getFirst());
    assertEquals(List.of("a", "--- here", "b", "---"), said.subList(2, said.size()));
  }

  @Test
  void progress_lines_printed_only_by_slow_machines_are_not_compared() throws Exception {
    String command =
        "printf 'a\\n1 of 2 tests, 0 with unexpected results\\n"
            + "1,234 schedules in 10.0 s (123.4 a second), 5 distinct states, no finding\\nb\\n'";
    assertEquals(List.of("as written: " + command), check("$ " + command + "\na\nb\n"));
  }
}
