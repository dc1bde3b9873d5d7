package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.harness.wpt.report.WptReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts of machines, beside those that mozinfo has for the same machines. */
class MachineFactsTest {

  @TempDir Path dir;

  private Map<String, String> facts(String name, String version, String arch, String... osRelease)
      throws IOException {
    Path file = dir.resolve("os-release");
    if (osRelease.length > 0) {
      Files.writeString(file, String.join("\n", osRelease));
    }
    Map<String, String> properties =
        Map.of(
            "os.name", name, "os.version", version, "os.arch", arch, "sun.arch.data.model", "64");
    return MachineFacts.of(properties::get, file);
  }

  @Test
  void linux_is_described_by_its_distribution() throws IOException {
    assertEquals(
        Map.of(
            "os", "linux",
            "linux_distro", "Debian Gnu/Linux",
            "os_version", "12",
            "version", "Debian Gnu/Linux 12",
            "processor", "x86_64",
            "arch", "x86_64",
            "bits", "64",
            "is_ubuntu", "false",
            "apple_silicon", "false"),
        facts(
            "Linux",
            "6.1.0-40",
            "amd64",
            "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"",
            "NAME=\"Debian GNU/Linux\"",
            "VERSION_ID=\"12\"",
            "# a comment",
            ""));
  }

  @Test
  void linux_without_a_named_distribution_has_the_version_of_its_kernel() throws IOException {
    assertEquals(
        Map.of(
            "os", "linux",
            "linux_distro", "lfs",
            "os_version", "6.1.0-40",
            "version", "lfs 6.1.0-40",
            "processor", "aarch64",
            "arch", "aarch64",
            "bits", "64",
            "is_ubuntu", "false",
            "apple_silicon", "false"),
        facts("Linux", "6.1.0-40", "aarch64"));
  }

  @Test
  void mac_and_windows_have_their_own_versions() throws IOException {
    assertEquals(
        Map.of(
            "os", "mac",
            "os_version", "15.10",
            "version", "OS X 15.1.1",
            "processor", "aarch64",
            "arch", "aarch64",
            "bits", "64",
            "is_ubuntu", "false",
            "apple_silicon", "true"),
        facts("Mac OS X", "15.1.1", "aarch64"));
    assertEquals(
        Map.of(
            "os", "win",
            "os_version", "10.0",
            "version", "10.0",
            "processor", "x86_64",
            "arch", "x86_64",
            "bits", "64",
            "is_ubuntu", "false",
            "apple_silicon", "false"),
        facts("Windows 11", "10.0", "amd64"));
  }

  @Test
  void unknown_facts_are_left_out() throws IOException {
    assertEquals(
        Map.of("os", "mac", "is_ubuntu", "false", "apple_silicon", "false"),
        MachineFacts.of(Map.of("os.name", "Mac OS X")::get, dir));
  }

  /** The keys of wptrunner and mozinfo in Firefox 140.12. */
  @Test
  void run_info_has_each_key_of_wptrunner_but_the_version_of_python() throws IOException {
    Map<String, String> info =
        new TreeMap<>(facts("Linux", "6.1", "amd64", "NAME=Ubuntu", "VERSION_ID=\"24.04\""));
    info.putAll(Map.of("product", "weblocks", "browser_version", "1", "revision", "abc"));
    RunReport report = new RunReport(info, null, null, List.of(), List.of(), false);

    JsonNode runInfo = new ObjectMapper().readTree(new WptReport().write(report)).get("run_info");

    Set<String> keys = new TreeSet<>();
    runInfo.fieldNames().forEachRemaining(keys::add);
    assertEquals(
        new TreeSet<>(
            List.of(
                    "android_version apple_catalina apple_silicon arch automation bits browser_version",
                    "debug display has_sandbox headless is_ubuntu linux_distro os os_version processor",
                    "product revision verify version wasm win10_2009 win11_2009")
                .stream()
                .flatMap(line -> Stream.of(line.split(" ")))
                .toList()),
        keys);
    assertEquals(
        "64 true false",
        "%s %s %s"
            .formatted(
                runInfo.get("bits").intValue(),
                runInfo.get("is_ubuntu").booleanValue(),
                runInfo.get("debug").booleanValue()));
  }
}
