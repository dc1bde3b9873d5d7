package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The standard output of commands on a full disk, and after the end of its reader. */
class StandardOutputTest extends CliBed {

  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("full");
    }
  }

  private int runOnFullDisk(String... arguments) {
    CliEnvironment cli = cli();
    return Main.run(
        new CliEnvironment(
            new PrintStream(new FullDisk(), true, StandardCharsets.UTF_8),
            cli.err(),
            cli.property(),
            cli.variable(),
            cli.terminal(),
            cli.browsers(),
            cli.stopLimit()),
        environment(dir, ""),
        arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run -e console.log(1)",
        "wpt",
        "wpt --list",
        "wpt --help",
        "explore --schedules 1 -e console.log(1)",
        "explore --help",
        "variants",
        "idl Lock",
        "completion",
        "help run",
        "--help",
        "--version"
      })
  void full_disk_gives_one_line_and_exit_code_2(String command) {
    wpt.file("area/a.any.js", "");

    assertEquals(2, runOnFullDisk(command.split(" ", 0)), this::err);

    assertTrue(
        err().endsWith("weblocks: the standard output cannot be written: is the disk full?\n"),
        this::err);
  }

  @Test
  void end_of_the_reader_ends_the_command_once() {
    AtomicInteger ends = new AtomicInteger();
    StandardOutput out = new StandardOutput(new FullDisk(), () -> false, ends::incrementAndGet);

    assertThrows(IOException.class, () -> out.write('a'));
    assertThrows(IOException.class, () -> out.write(new byte[2]));

    assertEquals(1, ends.get());
  }

  @Test
  void full_disk_does_not_end_the_command() {
    AtomicInteger ends = new AtomicInteger();
    StandardOutput out = new StandardOutput(new FullDisk(), () -> true, ends::incrementAndGet);

    assertThrows(IOException.class, () -> out.write('a'));

    assertEquals(0, ends.get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for (;;) console.log('line')",
        "console.log('line'); setTimeout(console.log, 300, 'last')"
      })
  void closed_pipe_ends_a_process_quietly_with_status_141(String script) throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/stdout")), "no /dev/stdout, as on Windows");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "@scripts/jvm.options",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.weblocks.harness.cli.Main",
                "run",
                "-e",
                script)
            .start();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("line", reader.readLine());
    }

    assertTrue(process.waitFor(60, TimeUnit.SECONDS));

    assertEquals(141, process.exitValue());
    assertEquals("", new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
  }
}
