package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.report.RunReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** The report of a run of web-platform-tests whose chunks ran on several machines. */
final class MergedRun {

  private static final String THIS_CHUNK = RunReport.THIS_CHUNK;
  private static final String TOTAL_CHUNKS = "total_chunks";
  private static final String SELECTED = "selected";

  /** Facts that only reports of chunks have. */
  private static final Set<String> OF_CHUNK = Set.of(THIS_CHUNK, TOTAL_CHUNKS, SELECTED);

  /** Facts that may differ between machines. */
  private static final Set<String> OF_MACHINE =
      Set.of(
          "os",
          "linux_distro",
          "os_version",
          "version",
          "processor",
          "arch",
          "bits",
          "is_ubuntu",
          "apple_silicon",
          "java");

  private MergedRun() {}

  /**
   * Returns facts for the report of a chunk.
   *
   * @param selected the tests of all chunks
   */
  static Map<String, String> facts(List<WptTest> selected, Shard chunk) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(THIS_CHUNK, String.valueOf(chunk.number()));
    facts.put(TOTAL_CHUNKS, String.valueOf(chunk.total()));
    facts.put(SELECTED, checksum(selected.stream().map(WptTest::id)));
    return facts;
  }

  private static String checksum(Stream<String> ids) {
    CRC32 crc = new CRC32();
    List<String> sorted = ids.sorted().toList();
    sorted.forEach(id -> crc.update((id + "\n").getBytes(StandardCharsets.UTF_8)));
    return "%d tests, CRC-32 %08x".formatted(sorted.size(), crc.getValue());
  }

  /**
   * Returns the report of a chunk for checks.
   *
   * @throws IllegalArgumentException if the chunk is malformed
   */
  static ShardReport shard(Path file, RunReport report) {
    String number = report.info().get(THIS_CHUNK);
    Map<String, String> facts = new LinkedHashMap<>(report.info());
    facts.keySet().removeAll(OF_MACHINE);
    facts.remove(THIS_CHUNK);
    facts.remove(TOTAL_CHUNKS);
    return new ShardReport(
        file,
        number == null
            ? null
            : Values.shard(number + "/" + report.info().getOrDefault(TOTAL_CHUNKS, "")),
        !report.interrupted(),
        facts);
  }

  /**
   * Returns the report of the whole run: tests by their ids, from the first start to the last end.
   * A fact that differs between machines is left out.
   *
   * @throws CommandFailure if the chunks do not have each selected test once
   */
  static RunReport of(List<RunReport> chunks) throws CommandFailure {
    Map<String, String> info = new LinkedHashMap<>(chunks.getFirst().info());
    info.keySet().removeAll(OF_CHUNK);
    for (RunReport chunk : chunks) {
      info.entrySet().removeIf(fact -> !fact.getValue().equals(chunk.info().get(fact.getKey())));
    }
    List<RunReport.Test> tests = new ArrayList<>();
    List<RunReport.NotRun> notRun = new ArrayList<>();
    for (RunReport chunk : chunks) {
      tests.addAll(chunk.tests());
      notRun.addAll(chunk.notRun());
    }
    tests.sort(Comparator.comparing(RunReport.Test::key));
    notRun.sort(Comparator.comparing(RunReport.NotRun::key));
    String selected = chunks.getFirst().info().getOrDefault(SELECTED, "none");
    String found =
        checksum(
            Stream.concat(
                tests.stream().map(RunReport.Test::id), notRun.stream().map(RunReport.NotRun::id)));
    if (!selected.equals(found)) {
      throw new CommandFailure(
          ("the reports do not have each selected test once: they state %s, and have %s; write"
                  + " them again")
              .formatted(HarmlessText.line(selected), found));
    }
    Comparator<Instant> byTime = Comparator.naturalOrder();
    return new RunReport(
        info,
        chunks.stream().flatMap(each -> Stream.ofNullable(each.start())).min(byTime).orElse(null),
        chunks.stream().flatMap(each -> Stream.ofNullable(each.end())).max(byTime).orElse(null),
        tests,
        notRun,
        false);
  }
}
