package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The traces of {@link TracePrograms} with three seeds each, compared with files: a change of
 * structure changes no step and no checkpoint.
 */
class TraceGoldenTest {

  private static final int SEEDS = 3;
  private static final String FOLDER = "dev/weblocks/embed/golden-traces/";
  private static final Pattern REQUEST = Pattern.compile("\\b((?:request|query)Id=)([^,\\]]+)");
  private static final Pattern CLIENT = Pattern.compile("\\b(client=)\\[([^\\]]+)\\]");

  @ParameterizedTest
  @EnumSource
  void trace_equals_its_golden_file(TracePrograms program) {
    StringBuilder traces = new StringBuilder();
    for (int seed = 1; seed <= SEEDS; seed++) {
      String trace = traceOf(program, seed);
      assertTrue(
          trace.lines().anyMatch(line -> line.startsWith("LOG ") && line.contains(program.reaches)),
          () -> program + " lacks '" + program.reaches + "':\n" + trace);
      assertTrue(
          trace.lines().noneMatch(line -> line.startsWith("ERROR DEFECT")),
          () -> program + " meets a defect:\n" + trace);
      traces.append("== seed ").append(seed).append('\n').append(trace);
    }
    Golden.check(fileOf(program), traces.toString());
  }

  @Test
  void golden_files_contain_every_kind_of_step() throws IOException {
    StringBuilder all = new StringBuilder();
    for (TracePrograms program : TracePrograms.values()) {
      all.append(Files.readString(Path.of("src/library/src/test/resources", fileOf(program))));
    }
    for (String step :
        List.of(
            "TASK ",
            "CHECKPOINT ",
            "RequestLock",
            "AbortRequest",
            "ReleaseLock",
            "EndClient",
            "TakeSnapshot",
            "LOCK_EFFECT lock task queue: Granted",
            "LOCK_EFFECT lock task queue: Unavailable",
            "LOCK_EFFECT lock task queue: Stolen",
            "LOCK_EFFECT lock task queue: Released",
            "LOCK_EFFECT lock task queue: SnapshotTaken",
            "has ended")) {
      assertTrue(all.indexOf(step) >= 0, () -> "no program comes to " + step);
    }
  }

  private static String fileOf(TracePrograms program) {
    return FOLDER + program.name().toLowerCase(Locale.ROOT) + ".txt";
  }

  private static String traceOf(TracePrograms program, long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      program.run(scenario);
      List<String> lines = new ArrayList<>();
      scenario.steps().forEach(step -> lines.add(line(step)));
      scenario.log().forEach(line -> lines.add("LOG " + line));
      scenario
          .errors()
          .forEach(error -> lines.add("ERROR " + error.kind() + " " + error.message()));
      return numbered(numbered(String.join("\n", lines) + "\n", REQUEST), CLIENT);
    }
  }

  /** Returns everything of a step but the links and what the step of its cause says already. */
  private static String line(TraceEvent step) {
    StringBuilder line = new StringBuilder();
    line.append(step.id())
        .append(" by ")
        .append(step.cause())
        .append(" at ")
        .append(step.time().toNanos());
    line.append(' ').append(step.kind()).append(' ').append(step.actor()).append(": ");
    line.append(step.detail().replace("ClientId[value=", "[").replace("ManagerId[value=", "["));
    TraceEvent.Spec spec = step.spec();
    if (spec != null && !step.detail().contains(spec.toString())) {
      line.append(" by ").append(spec);
    }
    TraceEvent.Lock lock = step.lock();
    if (lock != null) {
      line.append(" | ").append(lock.action());
      if (lock.action() == LockAction.ASKED) {
        line.append(' ').append(lock.names()).append(' ').append(lock.mode());
        line.append(' ').append(lock.waitMode()).append(" by ").append(lock.agent());
        line.append(' ').append(lock.url()).append(' ').append(lock.bucket());
      }
      line.append(lock.clientEnded() ? " clientEnded" : "");
    }
    return line.toString();
  }

  /** Returns the trace with ids numbered from 1 in the order of their first appearance. */
  private static String numbered(String trace, Pattern ids) {
    Map<String, Integer> numbers = new HashMap<>();
    return ids.matcher(trace)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                found.group(1)
                    + numbers.computeIfAbsent(found.group(2), id -> numbers.size() + 1)));
  }
}
