package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.testing.OtherJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionTest extends CliBed {

  @Test
  void a_shell_completes_commands_and_options_with_the_printed_script() throws Exception {
    assertEquals(0, run("completion"), this::err);
    Path script = Files.writeString(dir.resolve("complete"), out());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source '"
                    + script
                    + "'; COMP_WORDS=(weblocks wpt --until); COMP_CWORD=2; COMP_LINE='weblocks wpt"
                    + " --until'; _complete_weblocks; echo \"${COMPREPLY[@]}\"")
            .redirectErrorStream(true)
            .start();

    String said = new String(bash.getInputStream().readAllBytes());

    assertEquals(0, bash.waitFor(), said);
    assertTrue(said.contains("--until-unexpected"), said);
  }

  private String completed(String... words) throws Exception {
    forget();
    assertEquals(0, run("completion"), this::err);
    Path script = Files.writeString(dir.resolve("complete"), out());
    String line = String.join(" ", words);
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source '%s'; complete -p weblocks; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; _complete_weblocks; echo \"<${COMPREPLY[*]}>\""
                    .formatted(script, line, words.length - 1, line))
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), said);
    return said;
  }

  @Test
  void a_shell_completes_the_options_of_explore() throws Exception {
    assertTrue(completed("weblocks", "expl").contains("<explore>"), this::out);
    String said = completed("weblocks", "explore", "--");
    for (String option :
        List.of("--strategy", "--schedules", "--early-timers", "--replay", "--agents", "--wpt")) {
      assertTrue(said.contains(option), said);
    }
    assertTrue(completed("weblocks", "run", "--rep").contains("<--replay>"), this::out);
  }

  @Test
  void variants_command_subcommand_and_options_are_completed() throws Exception {
    assertTrue(completed("weblocks", "variant").contains("variants"));
    assertTrue(completed("weblocks", "variants", "comp").contains("compare"));
    assertTrue(completed("weblocks", "variants", "compare", "--vari").contains("--variants"));
    assertTrue(completed("weblocks", "run", "--vari").contains("--variant"));
    assertTrue(completed("weblocks", "wpt", "--spec").contains("--spec-variant"));
  }

  @Test
  void file_names_are_completed_as_option_values_and_arguments() throws Exception {
    Files.createFile(dir.resolve("report.json"));

    assertTrue(completed("weblocks", "wpt", "--compare", "rep").contains("<report.json>"));
    // no completion, so that the shell completes files itself
    for (String[] words :
        List.of(
            new String[] {"weblocks", "run", "rep"},
            new String[] {"weblocks", "compare", "rep"},
            new String[] {"weblocks", "wpt", "web-lo"})) {
      String said = completed(words);
      assertTrue(said.contains("-o default"), said);
      assertTrue(said.endsWith("<>\n"), said);
    }
    assertFalse(out().contains("+o default"));
  }

  @Test
  void options_for_deterministic_runs_are_completed() throws Exception {
    assertTrue(
        completed("weblocks", "run", "--check").contains("<--check-deterministic>"), this::out);
    assertTrue(completed("weblocks", "run", "--watch").contains("<--watchdog>"), this::out);
    assertTrue(completed("weblocks", "run", "--start").contains("<--start-time>"), this::out);
    assertTrue(completed("weblocks", "wpt", "--determ").contains("<--deterministic>"), this::out);
  }

  @Test
  void shellcheck_accepts_the_script() throws Exception {
    assertEquals(0, run("completion"), this::err);
    Path script = Files.writeString(dir.resolve("complete"), out());
    Process check;
    try {
      check = new ProcessBuilder("shellcheck", script.toString()).redirectErrorStream(true).start();
    } catch (IOException notThere) {
      assumeTrue(false, "shellcheck is not installed");
      return;
    }
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, check.waitFor(), said);
  }

  @Test
  void version_option_prints_engine_java_and_test_suite() throws Exception {
    Files.createDirectories(dir.resolve("wpt-subset"));

    assertEquals(0, run("--version"));

    String out = out();
    assertTrue(out.startsWith("weblocks "), out);
    // these tests run on either
    String engine =
        OtherJvm.flagsOfTheEngine().isEmpty() ? "interpreter" : "optimising compiler: GraalVM CE";
    assertTrue(out.matches("(?s).*\nGraalJS \\d+[.]\\d+[^\n]*, " + engine + "\n.*"), out);
    assertTrue(out.contains("\nJava " + System.getProperty("java.version")), out);
    assertTrue(out.contains("\nweb-platform-tests (no pin)\n"), out);
  }
}
