package dev.weblocks.harness.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.differ.Comparison;
import dev.weblocks.harness.differ.Comparison.Verdict;
import dev.weblocks.harness.differ.KnownDifference;
import dev.weblocks.harness.wpt.JsonFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The results of {@code weblocks differ}: counts, and the programs that are shown. */
final class DifferResults {

  /** The value of {@code command} in a report. */
  static final String COMMAND = "differ";

  /**
   * A program that is shown.
   *
   * @param order seed of its order of steps; null in real time
   * @param verdict of the program that was generated
   * @param smallest lines of the smallest program that still differs, and the difference; empty if
   *     the verdict is no difference
   */
  record Listed(
      @Nullable Integer order, long seed, Verdict verdict, String summary, List<String> smallest) {

    void print(CliEnvironment cli) {
      Shown word =
          verdict.isDifference()
              ? cli.red("differs")
              : Shown.of(verdict.name().toLowerCase(Locale.ROOT));
      cli.println(
          word.plus(" seed " + seed + ": " + summary + (order == null ? "" : ", order " + order)));
      smallest.forEach(line -> cli.println("  " + line));
    }
  }

  private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
  private final Map<String, Integer> known = new TreeMap<>();
  private final List<Listed> shown = new ArrayList<>();
  private int total;

  /**
   * Creates results without a program.
   *
   * @param total number of runs of programs that are planned
   */
  DifferResults(int total) {
    this.total = total;
  }

  void count(Comparison comparison) {
    counts.merge(comparison.verdict(), 1, Integer::sum);
    for (KnownDifference each : comparison.known()) {
      known.merge(each.name(), 1, Integer::sum);
    }
  }

  void add(Listed program) {
    shown.add(program);
  }

  /** Adds the results of another shard. */
  void add(DifferResults other) {
    other.counts.forEach((verdict, count) -> counts.merge(verdict, count, Integer::sum));
    other.known.forEach((name, count) -> known.merge(name, count, Integer::sum));
    shown.addAll(other.shown);
    shown.sort(
        Comparator.comparing((Listed each) -> each.order == null ? 0 : each.order)
            .thenComparing(Listed::seed));
    total += other.total;
  }

  /** Returns the programs that are shown, in the order of their runs. */
  List<Listed> shown() {
    return List.copyOf(shown);
  }

  int differences() {
    return counts.entrySet().stream()
        .filter(each -> each.getKey().isDifference())
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  private int done() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  boolean isComplete() {
    return done() == total;
  }

  String figures() {
    return "%d of %d programs: %d conform, %d known%s, %d undecided, %d differ"
        .formatted(
            done(),
            total,
            counts.getOrDefault(Verdict.CONFORMS, 0),
            counts.getOrDefault(Verdict.KNOWN, 0),
            known.isEmpty() ? "" : " " + known,
            counts.getOrDefault(Verdict.UNDECIDED, 0),
            differences());
  }

  /** Prints the counts, and returns the exit status. */
  int summarize(CliEnvironment cli, Duration time) {
    cli.println(figures() + " in " + Progress.seconds(time));
    return differences() == 0 ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  /** Returns the results as one JSON object, followed by a line feed. */
  String json(Map<String, Object> settings, Duration time) {
    JsonMapper json = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    ObjectNode all = json.createObjectNode();
    all.put("command", COMMAND);
    ObjectNode values = all.putObject("settings");
    settings.forEach((name, value) -> values.putPOJO(name, value));
    all.put("total", total);
    all.put("seconds", time.toNanos() / 1e9);
    ObjectNode verdicts = all.putObject("verdicts");
    counts.forEach(
        (verdict, count) -> verdicts.put(verdict.name().toLowerCase(Locale.ROOT), count));
    ObjectNode names = all.putObject("known");
    known.forEach(names::put);
    ArrayNode programs = all.putArray("programs");
    for (Listed each : shown) {
      ObjectNode program = programs.addObject();
      if (each.order != null) {
        program.put("order", each.order);
      }
      program.put("seed", each.seed);
      program.put("verdict", each.verdict.name().toLowerCase(Locale.ROOT));
      program.put("summary", each.summary);
      ArrayNode lines = program.putArray("smallest");
      each.smallest.forEach(lines::add);
    }
    try {
      return json.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a generated tree cannot be written as JSON", e);
    }
  }

  /**
   * Returns the results that {@link #json} wrote.
   *
   * @throws JsonFields.WrongFieldException if the object has no such results
   */
  static DifferResults read(JsonNode all) {
    DifferResults results = new DifferResults(JsonFields.count(all, "total"));
    JsonNode verdicts = JsonFields.object(all, "verdicts");
    verdicts
        .fieldNames()
        .forEachRemaining(key -> results.counts.put(verdict(key), JsonFields.count(verdicts, key)));
    JsonNode known = JsonFields.object(all, "known");
    known
        .fieldNames()
        .forEachRemaining(key -> results.known.put(key, JsonFields.count(known, key)));
    for (JsonNode program : JsonFields.list(all, "programs")) {
      results.shown.add(
          new Listed(
              program.has("order") ? JsonFields.count(program, "order") : null,
              JsonFields.integer(program, "seed"),
              verdict(JsonFields.text(program, "verdict")),
              JsonFields.text(program, "summary"),
              JsonFields.texts(program, "smallest")));
    }
    return results;
  }

  /**
   * Returns the time in a report.
   *
   * @throws JsonFields.WrongFieldException if the object has none
   */
  static Duration time(JsonNode all) {
    return Duration.ofNanos(Math.round(JsonFields.seconds(all, "seconds") * 1e9));
  }

  private static Verdict verdict(String name) {
    return JsonFields.name(Verdict.class, "verdict", name);
  }
}
