package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.harness.compare.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BenchCommandTest extends CliBed {

  /** Creates a fake engine that answers every command with this. */
  private void node(String answer) throws IOException {
    Path program = dir.resolve("node");
    Files.writeString(
        program,
        """
        #!/bin/sh
        echo '{"ready": true, "version": "9", "locks": true}'
        while read -r line; do id=${line#*:}; echo "{\\"id\\": ${id%%,*}, ANSWER}"; done
        """
            .replace("ANSWER", answer));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    properties.put("weblocks.bench.node", program.toString());
  }

  @Test
  void list_names_all_workloads_with_unit_and_direction() {
    assertEquals(0, run("bench", "--list"), this::err);

    assertEquals(Workloads.ALL.size(), out().lines().count());
    assertTrue(
        out().contains("\nsteal                  a chain of steals (steals/s, more is better)\n"));
    forget();
    assertEquals(0, run("bench", "--list", "query"));
    assertEquals(1, out().lines().count());
  }

  @Test
  void results_are_written_as_table_json_and_chart() throws IOException {
    node("\\\"value\\\": {\\\"operations\\\": 50, \\\"ms\\\": 1}");
    Path json = dir.resolve("bench.json");
    Path chart = dir.resolve("bench.html");

    int status =
        run(
            "bench",
            "--engine=node",
            "--engine=weblocks",
            "--rounds=2",
            "--quick",
            "--json=" + json,
            "--chart=" + chart,
            "sequential");

    assertEquals(0, status, this::err);
    assertTrue(out().contains("sequential  locks/s  50,000\n"), this::out);
    assertTrue(
        err()
            .endsWith(
                "weblocks: skipping weblocks: only the launcher scripts/weblocks can start it\n"),
        this::err);
    JsonNode workload =
        JsonMapper.builder().build().readTree(Files.readString(json)).get("workloads").get(0);
    assertEquals(50_000, workload.get("results").get("node").get("median").asDouble());
    assertEquals(2, workload.get("results").get("node").get("rounds").asInt());
    assertTrue(workload.get("ratioToBest").isNull());
    assertTrue(Files.readString(chart).contains("<svg"));
  }

  @Test
  void failure_of_node_is_reported_but_the_command_succeeds() throws IOException {
    node("\\\"error\\\": \\\"Error: zzz\\\"");

    assertEquals(0, run("bench", "--engine=node", "--quick", "steal"), this::err);
    assertTrue(out().contains("\nsteal, node: failed: Error: zzz\n"), this::out);
  }

  @Test
  void without_an_engine_the_command_fails() {
    properties.clear();

    assertEquals(2, run("bench", "--engine=weblocks", "sequential"));
    assertTrue(err().endsWith("weblocks: no engine can be measured\n"), this::err);
    assertEquals("", out());
  }

  @Test
  void invalid_options_are_refused() {
    assertFails("unknown workload 'zzz'; --list names all (weblocks bench --help)", "bench", "zzz");
    assertFails(
        "--json and --list exclude each other (weblocks bench --help)",
        "bench",
        "--list",
        "--json=" + dir.resolve("a"));
    String same = dir.resolve("a.svg").toString();
    assertFails(
        "--json and --chart name the same file " + same + " (weblocks bench --help)",
        "bench",
        "--json=" + same,
        "--chart=" + same);
    assertFails(
        "'' holds no workloads; use weblocks bench, which starts this command", "bench-engine");
  }

  @Test
  void internal_engine_command_is_hidden_from_users() {
    assertEquals(0, run("--help"));
    assertTrue(out().contains("\n  bench "), this::out);
    assertFalse(out().contains("bench-engine"), this::out);
    forget();
    assertEquals(2, run("zzz"));
    assertFalse(err().contains("bench-engine"), this::err);
  }
}
