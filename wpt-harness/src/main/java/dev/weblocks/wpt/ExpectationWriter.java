package dev.weblocks.wpt;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings the files of a directory of expectations in line with results. Reasons stay where there is
 * still something to explain; what is new gets an empty one, with which {@link Expectations#load}
 * refuses the file until someone has found out why.
 */
public final class ExpectationWriter {

  /**
   * What was done.
   *
   * @param files written or removed, sorted
   * @param withoutReason entries that need one, each as the test's id and the subtest's name, if it
   *     is about one
   */
  public record Outcome(List<Path> files, List<String> withoutReason) {
    public Outcome {
      files = List.copyOf(files);
      withoutReason = List.copyOf(withoutReason);
    }
  }

  private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
  private static final ObjectWriter JSON =
      JsonMapper.builder()
          .build()
          .writer(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                  .withObjectIndenter(INDENTER)
                  .withArrayIndenter(INDENTER));

  private final Path directory;
  private final List<Path> changed = new ArrayList<>();
  private final List<String> withoutReason = new ArrayList<>();

  private ExpectationWriter(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes what the results were. What files say of other tests stays.
   *
   * @param directory made when there is something to expect
   */
  public static Outcome write(Path directory, List<TestResult> results)
      throws IOException, Expectations.MalformedException {
    Map<String, List<TestResult>> bySource = new TreeMap<>();
    for (TestResult result : results) {
      bySource.computeIfAbsent(result.test().source(), source -> new ArrayList<>()).add(result);
    }
    ExpectationWriter writer = new ExpectationWriter(directory);
    for (Map.Entry<String, List<TestResult>> entry : bySource.entrySet()) {
      writer.write(entry.getKey(), entry.getValue());
    }
    return new Outcome(writer.changed, writer.withoutReason);
  }

  private void write(String source, List<TestResult> results)
      throws IOException, Expectations.MalformedException {
    Path file = directory.resolve(source.substring(1) + ".json");
    boolean exists = Files.exists(file);
    ObjectNode tests = exists ? Expectations.parse(file) : JsonNodeFactory.instance.objectNode();
    String before = exists ? Files.readString(file) : "";
    for (TestResult result : results) {
      String id = result.test().id();
      ObjectNode test = expected(result, tests.path(id));
      if (test.isEmpty()) {
        tests.remove(id);
      } else {
        tests.set(id, test);
      }
    }
    if (tests.isEmpty()) {
      if (exists) {
        Files.delete(file);
        changed.add(file);
      }
      return;
    }
    String text = escapeLoneSurrogates(JSON.writeValueAsString(tests)) + "\n";
    if (!text.equals(before)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      changed.add(file);
    }
  }

  private ObjectNode expected(TestResult result, JsonNode before) {
    String id = result.test().id();
    ObjectNode test = JsonNodeFactory.instance.objectNode();
    if (result.status() != result.test().kind().success()) {
      putStatus(test, result.status(), before, id);
    }
    Map<String, SubtestStatus> failed = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (SubtestResult subtest : result.subtests()) {
      if (subtest.status() != SubtestStatus.PASS) {
        failed.put(subtest.name(), subtest.status());
        names.add(subtest.name());
      }
    }
    JsonNode subtestsBefore = before.path("subtests");
    ObjectNode subtests = JsonNodeFactory.instance.objectNode();
    // What was there keeps its place, so that a diff shows what changed.
    List<String> order = new ArrayList<>();
    subtestsBefore.fieldNames().forEachRemaining(order::add);
    order.retainAll(failed.keySet());
    order.addAll(names);
    for (String name : order) {
      SubtestStatus status = failed.get(name);
      if (status != null && !subtests.has(name)) {
        putStatus(subtests.putObject(name), status, subtestsBefore.path(name), id + ": " + name);
      }
    }
    if (!subtests.isEmpty()) {
      test.set("subtests", subtests);
    }
    return test;
  }

  private void putStatus(ObjectNode node, Enum<?> status, JsonNode before, String what) {
    String reason = before.path("reason").asText("");
    node.put("status", status.name()).put("reason", reason);
    if (reason.isBlank()) {
      withoutReason.add(what);
    }
  }

  /** What UTF-8 cannot write, JSON can. */
  private static String escapeLoneSurrogates(String json) {
    StringBuilder text = new StringBuilder();
    json.codePoints()
        .forEach(codePoint -> {
          if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            text.append("\\u%04x".formatted(codePoint));
          } else {
            text.appendCodePoint(codePoint);
          }
        });
    return text.toString();
  }
}
