package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.TestSize;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code weblocks stress kill} and {@code soak}, whose agents are killed in this JVM. */
@Tag("alone")
class StressCommandTest extends CliBed {

  @Test
  void kill_run_prints_progress_and_a_summary() {
    assertEquals(
        0,
        run("stress", "kill", "--agents", "8", "--alive", "4", "--names", "3", "--deterministic"),
        this::out);
    assertTrue(
        out()
            .startsWith(
                "Killing 8 agents that contend for 3 names, 4 windows at once, deterministic"),
        this::out);
    assertTrue(out().contains("survivors finished"), this::out);
    assertTrue(out().contains("No problem in "), this::out);
    assertEquals("", err());
  }

  @Test
  void soak_run_prints_samples_and_finds_no_leak() {
    String time = TestSize.of(1, 60) + "s";
    assertEquals(0, run("stress", "soak", "--for", time, "--windows", "3"), this::out);
    assertTrue(
        out().startsWith("Mixing everything for " + time + ", 3 windows at once, "), this::out);
    assertTrue(out().endsWith("No problem\n"), this::out);
    assertEquals("", err());
  }

  @Test
  void interrupted_kill_run_prints_held_locks_and_waiting_requests() {
    RunEnvironment real = RunEnvironment.ofProcess();
    AtomicReference<Runnable> interrupt = new AtomicReference<>(() -> {});
    RunEnvironment own =
        new RunEnvironment(
            real.in(),
            false,
            dir,
            real.timers(),
            (action, ended) -> {
              interrupt.set(action);
              return () -> interrupt.set(() -> {});
            },
            real.prompts(),
            real.environments());
    CliEnvironment plain = cli();
    PrintStream interrupting =
        new PrintStream(out, true, StandardCharsets.UTF_8) {
          @Override
          public void flush() { // after each sample
            interrupt.get().run();
            super.flush();
          }
        };
    CliEnvironment cli =
        new CliEnvironment(
            interrupting,
            plain.err(),
            plain.property(),
            plain.variable(),
            false,
            plain.browsers(),
            plain.stopLimit());

    // with this seed, windows live and hold a lock during a sample
    String options = "--agents=50 --alive=8 --names=1 --deterministic --seed=3";
    List<String> command = new ArrayList<>(List.of("stress", "kill"));
    command.addAll(List.of(options.split(" ")));
    assertEquals(0, Main.run(cli, own, command.toArray(String[]::new)), this::out);

    assertTrue(
        err()
            .matches(
                "(?s).*weblocks: interrupted; locks:\nNAME +MODE +STATE +HOLDER/WAITER"
                    + "[^\n]*\nn0 +(exclusive|shared) +held .*"),
        this::err);
    assertTrue(err().contains(" waits for "), this::err);
  }
}
