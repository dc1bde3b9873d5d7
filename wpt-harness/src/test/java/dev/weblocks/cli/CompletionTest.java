package dev.weblocks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
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

  @Test
  void the_version_names_what_results_depend_on() throws Exception {
    Files.createDirectories(dir.resolve("wpt-subset"));

    assertEquals(0, run("--version"));

    String out = out();
    assertTrue(out.startsWith("weblocks "), out);
    assertTrue(out.matches("(?s).*\nGraalJS \\d+[.]\\d+.*, interpreter\n.*"), out);
    assertTrue(out.contains("\nJava " + System.getProperty("java.version")), out);
    assertTrue(out.contains("\nweb-platform-tests (no pin)\n"), out);
  }
}
