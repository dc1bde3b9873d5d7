package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkloadsTest {

  @Test
  void all_documented_workloads_exist_once() {
    List<String> names = Workloads.ALL.stream().map(Workload::name).toList();

    assertEquals(names.size(), new TreeSet<>(names).size());
    assertTrue(
        names.containsAll(
            List.of(
                "sequential",
                "concurrent-one-name",
                "shared-readers",
                "distinct-names",
                "if-available-hit",
                "if-available-miss",
                "abort",
                "steal",
                "query",
                "two-agents",
                "eight-agents",
                "leader-hand-over",
                "agent-start",
                "first-lock",
                "agent-memory",
                "growth")),
        names::toString);
  }

  @Test
  void workload_files_contain_all_resources_and_are_deleted_at_close() throws IOException {
    Path directory;
    try (WorkloadFiles files = new WorkloadFiles()) {
      directory = files.directory();
      for (String folder : List.of("adapters", "workloads")) {
        // In a build, the resources on the class path are files.
        Path source =
            Path.of("wpt-harness/src/main/resources/dev/weblocks/harness/compare").resolve(folder);
        assertEquals(names(source), names(directory.resolve(folder)));
      }
    }
    assertTrue(Files.notExists(directory));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void better_result_has_an_advantage_above_1_in_every_unit() {
    assertEquals(2, Workload.Unit.LOCKS_PER_SECOND.advantage(10, 5));
    assertEquals(2, Workload.Unit.MILLIS.advantage(5, 10));
    assertTrue(Double.isNaN(Workload.Unit.MILLIS.advantage(0, 10)));
    assertTrue(Double.isNaN(Workload.Unit.MILLIS.advantage(-5, 10)));
  }

  @Test
  void rate_is_per_second_and_cost_per_operation() {
    assertEquals(200, Workload.Unit.LOCKS_PER_SECOND.of(100, 500));
    assertEquals(5, Workload.Unit.MILLIS_PER_QUERY.of(100, 500));
  }
}
