package dev.weblocks.harness.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;

/** The JSON format of results. */
public final class ResultJson {

  private ResultJson() {}

  /** Returns the results as one JSON object, followed by a line feed. */
  public static String of(Results results) {
    JsonMapper json = JsonMapper.builder().build();
    ObjectNode all = json.createObjectNode();
    all.put("quick", results.quick());
    all.put("rounds", results.rounds());
    all.put("complete", results.complete());
    ArrayNode engines = all.putArray("engines");
    results
        .versions()
        .forEach((name, version) -> engines.addObject().put("name", name).put("version", version));
    ArrayNode leftOut = all.putArray("leftOut");
    for (Engines.LeftOut each : results.leftOut()) {
      leftOut.addObject().put("name", each.name()).put("reason", each.reason());
    }
    ArrayNode workloads = all.putArray("workloads");
    for (Results.Row row : results.rows()) {
      ObjectNode workload = workloads.addObject();
      workload.put("name", row.workload().name());
      workload.put("unit", row.workload().unit().text());
      workload.put("better", row.workload().unit().higherIsBetter() ? "higher" : "lower");
      ObjectNode scores = workload.putObject("results");
      row.scores().forEach((engine, score) -> put(scores.putObject(engine), score));
      workload.put("best", row.best());
      put(workload, "ratioToBest", row.ratioToBest(Engine.OWN_JIT));
      put(workload, "interpreterRatioToBest", row.ratioToBest(Engine.OWN_INTERPRETER));
    }
    try {
      return json.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a generated tree cannot be written as JSON", e);
    }
  }

  private static void put(ObjectNode node, Score score) {
    switch (score) {
      case Score.Measured measured -> {
        node.put("median", measured.figures().median());
        node.put("min", measured.figures().min());
        node.put("max", measured.figures().max());
        node.put("rounds", measured.figures().rounds());
        node.put("size", measured.size());
        node.put("wantedSize", measured.wanted());
        node.put("warm", measured.warm());
        if (!measured.note().isEmpty()) {
          node.put("note", measured.note());
        }
      }
      case Score.Failed failed -> node.put("failed", failed.reason());
    }
  }

  private static void put(ObjectNode node, String name, OptionalDouble ratio) {
    if (ratio.isPresent()) {
      node.put(name, ratio.getAsDouble());
    } else {
      node.putNull(name);
    }
  }
}
