package dev.weblocks.harness.explore;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.schedule.Interleaving;
import java.util.Locale;
import java.util.Map;

/** The report of an exploration as JSON. */
public final class ReportJson {

  private ReportJson() {}

  /**
   * Returns the report as one JSON object, followed by a line feed.
   *
   * @param settings options by name
   */
  public static String of(Explorer.Report report, Map<String, Object> settings) {
    JsonMapper json = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    ObjectNode all = json.createObjectNode();
    ObjectNode values = all.putObject("settings");
    settings.forEach((name, value) -> values.putPOJO(name, value));
    all.put("schedules", report.schedules());
    all.put("brokenOff", report.known());
    all.put("distinctStates", report.states());
    all.put("seconds", report.time().toNanos() / 1e9);
    all.put("schedulesPerSecond", report.perSecond());
    all.put("end", report.end().name().toLowerCase(Locale.ROOT));
    all.put("exhausted", report.end() == Explorer.End.EXHAUSTED);
    ArrayNode findings = all.putArray("findings");
    for (Explorer.Found found : report.found()) {
      ObjectNode finding = findings.addObject();
      finding.put("kind", found.finding().kind().label());
      finding.put("text", found.finding().text());
      finding.put("schedule", found.schedule());
      finding.put("times", found.times());
      finding.put("replay", found.replay().text());
      finding.put("shrinkRuns", found.shrinkRuns());
      put(finding.putObject("first"), found.first());
      ObjectNode simplest = finding.putObject("simplest");
      put(simplest, found.simplest());
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

  private static void put(ObjectNode node, Interleaving of) {
    node.put("preemptions", of.preemptions());
    node.put("switches", of.switches());
    node.put("choices", of.choices());
    node.put("steps", of.steps().size());
  }
}
