package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.compare.Engines.LeftOut;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines whose programs are shell scripts. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EnginesTest {

  private static final String READY =
      "echo '{\"ready\": true, \"version\": \"9\", \"locks\": true}'\n";

  /** A shell script that answers each line with its id. */
  private static final String ANSWERS =
      "while read -r line; do id=${line#*:}; echo noise; echo \"{\\\"id\\\": ${id%%,*},"
          + " \\\"value\\\": 5}\"; done\n";

  @TempDir Path dir;

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();
  private WorkloadFiles files;
  private Processes processes;

  @BeforeEach
  void prepare() throws IOException {
    files = new WorkloadFiles();
    processes = new Processes(dir);
    variables.put("PATH", dir.resolve("none") + File.pathSeparator + dir);
  }

  @AfterEach
  void end() {
    processes.close();
    files.close();
  }

  private Path program(String name, String script) throws IOException {
    Path file = dir.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private Engines find(String... wanted) {
    return Engines.find(List.of(wanted), properties::get, variables::get, files, processes);
  }

  private Engine only(String name) {
    Engines engines = find(name);
    assertEquals(List.of(), engines.leftOut());
    return engines.found().getFirst();
  }

  @Test
  void missing_engines_are_left_out_with_the_reason() {
    Engines engines = find("weblocks", "node", "deno", "chromium");

    assertEquals(List.of(), engines.found());
    assertEquals(
        List.of(
            new LeftOut("weblocks", "only the launcher scripts/weblocks can start it"),
            new LeftOut("node", "it is not installed"),
            new LeftOut("deno", "it is not installed"),
            new LeftOut("chromium", "it is not installed")),
        engines.leftOut());
  }

  @Test
  void only_requested_engines_are_searched() {
    assertEquals(List.of(new LeftOut("deno", "it is not installed")), find("deno").leftOut());
  }

  @Test
  void programs_given_by_the_launcher_take_precedence_over_the_path()
      throws IOException, EngineFailure, InterruptedException {
    program("node", "echo '{\"ready\": true, \"version\": \"1\", \"locks\": true}'\nread -r x\n");
    try (Session session = only("node").start()) {
      assertEquals("1", session.version());
    }
    Path brought = program("brought", READY + ANSWERS);
    properties.put("weblocks.bench.node", brought.toString());
    try (Session session = only("node").start()) {
      assertEquals("9", session.version());
      assertEquals(5, session.call("sequential", "round", 3, Duration.ofSeconds(30)).asInt());
      session.collect(Duration.ofSeconds(30));
      assertTrue(session.residentBytes() > 0);
    }
  }

  @Test
  void weblocks_is_started_by_its_launcher_with_and_without_the_compiler()
      throws IOException, EngineFailure, InterruptedException {
    Path launcher =
        program(
            "launcher", "echo \"$@\" >>" + dir.resolve("arguments") + "\n" + READY + "read -r x\n");
    properties.put("weblocks.launcher", launcher.toString());
    Engines engines = find("weblocks-jit", "weblocks");
    for (Engine engine : engines.found()) {
      assertTrue(engine.isOwn());
      engine.start().close();
    }

    assertEquals(
        List.of("--jit bench-engine " + files.directory(), "bench-engine " + files.directory()),
        Files.readAllLines(dir.resolve("arguments")));
  }

  @Test
  void jit_engine_is_left_out_if_its_jdk_only_interprets() throws IOException {
    Path launcher =
        program(
            "launcher",
            "echo '{\"ready\": true, \"version\": \"1\", \"locks\": true, \"interprets\":"
                + " true}'\nread -r x\n");
    properties.put("weblocks.launcher", launcher.toString());

    EngineFailure failure =
        assertThrows(EngineFailure.class, () -> only("weblocks-jit").start().close());
    assertTrue(failure.reason().startsWith("this JDK cannot run the optimising compiler"));
  }

  @Test
  void a_runtime_without_locks_does_not_start() throws IOException {
    program("node", "echo '{\"ready\": true, \"version\": \"20\", \"locks\": false}'\nread -r x\n");

    EngineFailure failure = assertThrows(EngineFailure.class, () -> only("node").start().close());
    assertEquals("version 20 has no navigator.locks", failure.reason());
  }

  @Test
  void process_that_ends_at_startup_is_reported() throws IOException {
    program("node", "echo 'bad flag' >&2\nexit 9\n");

    EngineFailure failure = assertThrows(EngineFailure.class, () -> only("node").start().close());
    assertTrue(
        failure.reason().startsWith("does not start: the process has ended"), failure::reason);
  }

  @Test
  void engine_errors_are_reported_in_one_line_and_silent_engines_time_out()
      throws IOException, EngineFailure, InterruptedException {
    program(
        "node",
        READY
            + "read -r x\nprintf '%s\\n' '{\"id\": 1, \"error\": \"Error: a\\n  b\"}'\nread -r y\nread z\n");
    try (Session session = only("node").start()) {
      Duration bound = Duration.ofSeconds(30);
      EngineFailure error =
          assertThrows(EngineFailure.class, () -> session.call("sequential", "round", 1, bound));
      assertEquals("Error: a b", error.reason());
      assertFalse(error.isLate());
      EngineFailure silence =
          assertThrows(
              EngineFailure.class,
              () -> session.call("sequential", "round", 1, Duration.ofMillis(20)));
      assertTrue(silence.isLate());
    }
  }

  @Test
  void first_lock_is_recognized_by_a_line_on_the_standard_output()
      throws IOException, EngineFailure, InterruptedException {
    program("deno", "echo noise\n[ \"$1\" = eval ] && echo first\n");
    assertTrue(only("deno").firstLock(Duration.ofSeconds(30)) > 0);

    program("deno", "echo noise\necho why >&2\n");
    EngineFailure failure =
        assertThrows(EngineFailure.class, () -> only("deno").firstLock(Duration.ofSeconds(30)));
    assertTrue(
        failure.reason().startsWith("the process has ended before it got a lock"), failure::reason);
  }

  @Test
  void uses_report_each_second() throws IOException, EngineFailure, InterruptedException {
    program("node", "echo noise\necho '10.5 locks/s'\necho '1.5E2 locks/s'\nread -r x\n");
    assertEquals(List.of(10.5, 150.0), only("node").locksPerSecond("window", 2));

    program("node", "echo '10 locks/s'\necho why >&2\n");
    EngineFailure failure =
        assertThrows(EngineFailure.class, () -> only("node").locksPerSecond("window", 2));
    assertTrue(
        failure.reason().startsWith("the process has ended before it got a figure"),
        failure::reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"window", "installed-context", "java-client"})
  void java_programs_take_locks(String use) throws EngineFailure, InterruptedException {
    properties.put("weblocks.launcher", "none");
    properties.put("java.home", System.getProperty("java.home"));
    properties.put("java.class.path", System.getProperty("java.class.path"));

    assertTrue(only("weblocks").locksPerSecond(use, 1).getFirst() > 0);
    assertFalse(only("weblocks-jit").canRun(Made.workload(use + "-cold")), "no JDK is linked");
  }

  @Test
  void no_process_starts_after_the_end_of_a_run() throws IOException {
    program("node", READY);
    processes.close();

    EngineFailure failure = assertThrows(EngineFailure.class, () -> only("node").start().close());
    assertTrue(failure.reason().contains("interrupted"), failure::reason);
  }

  @Test
  void processes_and_their_children_end_with_the_run()
      throws IOException, EngineFailure, InterruptedException {
    Path pid = dir.resolve("pid");
    program("node", "sleep 1000 &\necho $! >" + pid + "\n" + READY + "wait\n");
    Session session = only("node").start();
    long child = Long.parseLong(Files.readString(pid).strip());
    assertTrue(ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false));

    processes.close();

    ProcessHandle.of(child).ifPresent(handle -> handle.onExit().join());
    session.close();
  }
}
