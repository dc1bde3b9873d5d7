package dev.weblocks.wpt;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of tests: that all pass, except where a file of the expectations directory says
 * otherwise. The directory mirrors WPT: {@code web-locks/held.https.any.js.json} speaks about the
 * tests of {@code /web-locks/held.https.any.js}:
 *
 * <pre>{@code
 * {
 *   "/web-locks/held.https.any.html": {
 *     "status": "TIMEOUT", "reason": "why the file as a whole does not end with OK",
 *     "subtests": {"its name": {"status": "FAIL", "reason": "why it does not pass"}}
 *   }
 * }
 * }</pre>
 *
 * <p>A subtest with {@code "intermittent": true} may pass as well.
 */
public final class Expectations {

  /** An expectation file that makes no sense; the message names the file and the place. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  /**
   * A result other than the expected one.
   *
   * @param subtest name of the subtest; null when it is about the test as a whole
   * @param expected a status
   * @param actual a status, or {@code MISSING} for a subtest that is not among the results
   */
  public record Deviation(
      String testId,
      @Nullable String subtest,
      String expected,
      String actual,
      @Nullable String message) {}

  /**
   * What is expected of a test.
   *
   * @param sometimesPassing subtests that pass now and then, and need not
   */
  private record Expected(
      Optional<HarnessStatus> status,
      Map<String, SubtestStatus> subtests,
      Set<String> sometimesPassing) {}

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final Expected ALL_PASS = new Expected(Optional.empty(), Map.of(), Set.of());

  private final Map<String, Expected> byTest;

  private Expectations(Map<String, Expected> byTest) {
    this.byTest = byTest;
  }

  /** Every test and every subtest passes. */
  public static Expectations none() {
    return new Expectations(Map.of());
  }

  /**
   * Reads a directory of expectations.
   *
   * @param directory one that does not exist expects nothing but passes
   */
  public static Expectations load(Path directory) throws IOException, MalformedException {
    return load(directory, true);
  }

  /** Reads a directory of expectations that may still lack reasons. */
  public static Expectations loadDrafts(Path directory) throws IOException, MalformedException {
    return load(directory, false);
  }

  private static Expectations load(Path directory, boolean reasons)
      throws IOException, MalformedException {
    if (!Files.isDirectory(directory)) {
      return none();
    }
    Map<String, Expected> byTest = new HashMap<>();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    for (Path file : files) {
      read(file, reasons, byTest);
    }
    return new Expectations(byTest);
  }

  private static void read(Path file, boolean reasons, Map<String, Expected> byTest)
      throws IOException, MalformedException {
    JsonNode tests = parse(file);
    for (Map.Entry<String, JsonNode> entry : tests.properties()) {
      String place = file + ": '" + entry.getKey() + "'";
      JsonNode test = entry.getValue();
      requireKeys(test, Set.of("status", "reason", "subtests"), place);
      Optional<HarnessStatus> status = Optional.empty();
      if (test.has("status") || test.has("reason")) {
        status =
            Optional.of(
                expected(
                    HarnessStatus.class,
                    EnumSet.of(HarnessStatus.OK, HarnessStatus.PASS),
                    test,
                    reasons,
                    place));
      }
      Map<String, SubtestStatus> subtests = new LinkedHashMap<>();
      Set<String> sometimesPassing = new HashSet<>();
      if (test.has("subtests")) {
        requireObject(test.get("subtests"), place + ", subtests");
        for (Map.Entry<String, JsonNode> subtest : test.get("subtests").properties()) {
          String where = place + ", subtest '" + subtest.getKey() + "'";
          requireKeys(subtest.getValue(), Set.of("status", "reason", "intermittent"), where);
          if (subtest.getValue().path("intermittent").asBoolean()) {
            sometimesPassing.add(subtest.getKey());
          }
          subtests.put(
              subtest.getKey(),
              expected(
                  SubtestStatus.class,
                  EnumSet.of(SubtestStatus.PASS),
                  subtest.getValue(),
                  reasons,
                  where));
        }
      }
      if (byTest.put(entry.getKey(), new Expected(status, subtests, sometimesPassing)) != null) {
        throw new MalformedException(place + " has expectations in another file too");
      }
    }
  }

  /** The object that a file of expectations is. */
  static ObjectNode parse(Path file) throws IOException, MalformedException {
    JsonNode tests;
    try {
      // From text: Jackson refuses lone surrogates in keys when it reads bytes.
      tests = JSON.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new MalformedException(file + ":" + line + ": " + e.getOriginalMessage());
    }
    requireObject(tests, file.toString());
    return (ObjectNode) tests;
  }

  private static <E extends Enum<E>> E expected(
      Class<E> type, EnumSet<E> usual, JsonNode node, boolean reasons, String place)
      throws MalformedException {
    String status = node.path("status").asText("");
    Optional<E> value =
        Stream.of(type.getEnumConstants())
            .filter(constant -> constant.name().equals(status) && !usual.contains(constant))
            .findFirst();
    if (reasons && node.path("reason").asText("").isBlank()) {
      throw new MalformedException(place + " has no reason");
    }
    return value.orElseThrow(() ->
        new MalformedException(
            place
                + " has the status '"
                + status
                + "': expected is any but "
                + usual.stream().map(Enum::name).collect(Collectors.joining(" and "))));
  }

  private static void requireObject(JsonNode node, String place) throws MalformedException {
    if (!node.isObject()) {
      throw new MalformedException(place + " is not an object");
    }
  }

  private static void requireKeys(JsonNode node, Set<String> keys, String place)
      throws MalformedException {
    requireObject(node, place);
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (!keys.contains(entry.getKey())) {
        throw new MalformedException(place + " has the unknown key '" + entry.getKey() + "'");
      }
    }
  }

  /** The status that a test as a whole should end with. */
  HarnessStatus expectedStatus(WptTest test) {
    return byTest.getOrDefault(test.id(), ALL_PASS).status().orElse(test.kind().success());
  }

  /** Whether a test should run out of time. */
  public boolean expectTimeout(WptTest test) {
    return expectedStatus(test) == HarnessStatus.TIMEOUT;
  }

  /** The status that a subtest should end with. */
  SubtestStatus expectedStatus(String testId, String subtest) {
    return byTest
        .getOrDefault(testId, ALL_PASS)
        .subtests()
        .getOrDefault(subtest, SubtestStatus.PASS);
  }

  /** Where a result differs from what is expected, in either direction; empty when nowhere. */
  public List<Deviation> compare(TestResult result) {
    String id = result.test().id();
    List<Deviation> deviations = new ArrayList<>();
    HarnessStatus status = expectedStatus(result.test());
    if (result.status() != status) {
      deviations.add(
          new Deviation(id, null, status.name(), result.status().name(), result.message()));
    }
    Map<String, SubtestStatus> unseen = new TreeMap<>(byTest.getOrDefault(id, ALL_PASS).subtests());
    for (SubtestResult subtest : result.subtests()) {
      unseen.remove(subtest.name());
      SubtestStatus wanted = expectedStatus(id, subtest.name());
      boolean passesToday =
          subtest.status() == SubtestStatus.PASS
              && byTest.getOrDefault(id, ALL_PASS).sometimesPassing().contains(subtest.name());
      if (subtest.status() != wanted && !passesToday) {
        deviations.add(
            new Deviation(
                id, subtest.name(), wanted.name(), subtest.status().name(), subtest.message()));
      }
    }
    unseen.forEach(
        (name, wanted) -> deviations.add(new Deviation(id, name, wanted.name(), "MISSING", null)));
    return deviations;
  }
}
