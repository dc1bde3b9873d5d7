package dev.weblocks.harness.explore;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.explore.schedule.Cost;
import dev.weblocks.explore.schedule.Coverage;
import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.schedule.Finding;
import dev.weblocks.explore.schedule.Interleaving;
import dev.weblocks.explore.schedule.Replay;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.harness.wpt.JsonFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of an exploration as JSON. */
public final class ReportJson {

  /** The value of {@code command} in such a report. */
  public static final String COMMAND = "explore";

  /** The ends that reports of shards may have, the decisive ones first. */
  private static final List<Explorer.End> ENDS =
      List.of(
          Explorer.End.FINDING,
          Explorer.End.TIME,
          Explorer.End.SCHEDULES,
          Explorer.End.TOO_LONG,
          Explorer.End.EXHAUSTED);

  private ReportJson() {}

  /**
   * Returns the report as one JSON object, followed by a line feed.
   *
   * @param settings options by name; with a shard, the report has the states as well
   */
  public static String of(Explorer.Report report, Map<String, Object> settings, Coverage states) {
    JsonMapper json = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    ObjectNode all = json.createObjectNode();
    all.put("command", COMMAND);
    ObjectNode values = all.putObject("settings");
    settings.forEach((name, value) -> values.putPOJO(name, value));
    all.put("schedules", report.schedules());
    all.put("brokenOff", report.known());
    all.put("distinctStates", report.states());
    if (settings.containsKey(Shard.SETTING)) {
      all.put("states", states.text());
    }
    all.put("seconds", report.time().toNanos() / 1e9);
    all.put("schedulesPerSecond", report.perSecond());
    all.put("end", report.end().name().toLowerCase(Locale.ROOT));
    all.put("exhausted", report.end() == Explorer.End.EXHAUSTED);
    ArrayNode findings = all.putArray("findings");
    for (Explorer.Found found : report.found()) {
      ObjectNode finding = findings.addObject();
      finding.put("kind", found.finding().kind().label());
      finding.put("key", found.finding().key());
      finding.put("text", found.finding().text());
      finding.put("schedule", found.schedule());
      finding.put("times", found.times());
      finding.put("replay", found.replay().text());
      finding.put("shrinkRuns", found.shrinkRuns());
      put(finding.putObject("first"), found.first());
      ObjectNode simplest = finding.putObject("simplest");
      put(simplest, found.simplest().cost());
      ArrayNode steps = simplest.putArray("interleaving");
      for (Interleaving.Line line : found.simplest().steps()) {
        ObjectNode step = steps.addObject();
        step.put("step", line.number());
        step.put("agent", line.actor());
        step.put("task", line.what());
        ArrayNode events = step.putArray("events");
        line.events().forEach(events::add);
      }
    }
    try {
      return json.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a generated tree cannot be written as JSON", e);
    }
  }

  private static void put(ObjectNode node, Cost of) {
    node.put("preemptions", of.preemptions());
    node.put("switches", of.switches());
    node.put("choices", of.choices());
    node.put("steps", of.steps());
  }

  /**
   * Returns the report that {@link #of} wrote.
   *
   * @param states receives the states
   * @throws JsonFields.WrongFieldException if the object is not the report of a shard, or has
   *     another number of states than it states
   * @throws ReplayException if a replay string in it is malformed
   */
  public static Explorer.Report read(JsonNode all, Coverage states) {
    List<Explorer.Found> found = new ArrayList<>();
    for (JsonNode finding : JsonFields.list(all, "findings")) {
      found.add(found(finding));
    }
    Coverage own = Coverage.parse(JsonFields.text(all, "states"));
    int count = JsonFields.count(all, "distinctStates");
    JsonFields.requireEqual("\"distinctStates\"", count, own.size());
    states.addAll(own);
    return new Explorer.Report(
        JsonFields.integer(all, "schedules"),
        JsonFields.integer(all, "brokenOff"),
        count,
        Duration.ofNanos(Math.round(JsonFields.seconds(all, "seconds") * 1e9)),
        JsonFields.name(Explorer.End.class, all, "end"),
        found);
  }

  private static Explorer.Found found(JsonNode finding) {
    List<Interleaving.Line> steps = new ArrayList<>();
    JsonNode simplest = JsonFields.object(finding, "simplest");
    for (JsonNode step : JsonFields.list(simplest, "interleaving")) {
      steps.add(
          new Interleaving.Line(
              JsonFields.count(step, "step"),
              JsonFields.text(step, "agent"),
              JsonFields.text(step, "task"),
              JsonFields.texts(step, "events")));
    }
    return new Explorer.Found(
        new Finding(
            JsonFields.name(Finding.Kind.class, finding, "kind"),
            JsonFields.text(finding, "key"),
            JsonFields.text(finding, "text")),
        JsonFields.integer(finding, "schedule"),
        JsonFields.integer(finding, "times"),
        cost(JsonFields.object(finding, "first")),
        new Interleaving(cost(simplest), steps),
        JsonFields.count(finding, "shrinkRuns"),
        Replay.parse(JsonFields.text(finding, "replay")));
  }

  private static Cost cost(JsonNode of) {
    return new Cost(
        JsonFields.count(of, "preemptions"),
        JsonFields.count(of, "switches"),
        JsonFields.count(of, "choices"),
        JsonFields.count(of, "steps"));
  }

  /** Returns whether the exploration ended as planned, and not by an interrupt or failure. */
  public static boolean isComplete(Explorer.Report report) {
    return ENDS.contains(report.end());
  }

  /**
   * Returns the report of all shards together: findings in the order of their schedules, states
   * once, the time of the longest shard.
   *
   * @param parts the reports of the shards; each has ended by a limit, by a finding, or because all
   *     its schedules were run
   * @param states the states of all shards
   */
  public static Explorer.Report merge(List<Explorer.Report> parts, Coverage states) {
    List<Explorer.Found> found = new ArrayList<>();
    parts.forEach(part -> found.addAll(part.found()));
    found.sort(Comparator.comparingLong(Explorer.Found::schedule));
    List<Explorer.Found> once = new ArrayList<>();
    for (Explorer.Found each : found) {
      int first = 0;
      while (first < once.size() && !once.get(first).finding().isSameAs(each.finding())) {
        first++;
      }
      if (first == once.size()) {
        once.add(each);
      } else {
        once.set(first, once.get(first).andTimes(each.times()));
      }
    }
    return new Explorer.Report(
        parts.stream().mapToLong(Explorer.Report::schedules).sum(),
        parts.stream().mapToLong(Explorer.Report::known).sum(),
        states.size(),
        parts.stream().map(Explorer.Report::time).max(Comparator.naturalOrder()).orElseThrow(),
        ENDS.stream()
            .filter(end -> parts.stream().anyMatch(part -> part.end() == end))
            .findFirst()
            .orElseThrow(),
        once);
  }
}
