package dev.weblocks.harness.differ;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The behaviour of a program: the lines that each realm logged, in order, by the name of the realm.
 *
 * @param complete false if the engine gave up waiting
 * @param logs not modifiable; a realm without lines may be missing
 */
public record Observation(boolean complete, SortedMap<String, List<String>> logs) {

  /** The observation of a program that reported nothing. */
  public static final Observation NOTHING = new Observation(false, new TreeMap<>());

  /** Copies the map and its lists. */
  public Observation {
    SortedMap<String, List<String>> copy = new TreeMap<>();
    logs.forEach((realm, lines) -> copy.put(realm, List.copyOf(lines)));
    logs = Collections.unmodifiableSortedMap(copy);
  }

  /**
   * Reads the body of a report: {@code {"complete": true, "logs": {"main": ["line"]}}}.
   *
   * @throws IllegalArgumentException if the text is no such JSON
   */
  public static Observation ofReport(String json) {
    try {
      JsonNode report = new ObjectMapper().readTree(json);
      SortedMap<String, List<String>> logs = new TreeMap<>();
      for (var realm : report.required("logs").properties()) {
        List<String> lines = new ArrayList<>();
        realm.getValue().forEach(line -> lines.add(line.asText()));
        logs.put(realm.getKey(), lines);
      }
      return new Observation(report.required("complete").asBoolean(), logs);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a report: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns the lines of a realm, empty if it logged none. */
  public List<String> lines(String realm) {
    return logs.getOrDefault(realm, List.of());
  }
}
