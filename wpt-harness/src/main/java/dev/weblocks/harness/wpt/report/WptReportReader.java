package dev.weblocks.harness.wpt.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.JsonProblem;
import dev.weblocks.harness.wpt.report.RunReport.Expected;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reader of reports in wptrunner's format, of any engine, plain or compressed by gzip. Ignores
 * unknown fields. If a test occurs twice, the last result counts, as after a retry. Only one test
 * at a time is in memory as JSON, because reports of whole browsers are large.
 */
public final class WptReportReader {

  /**
   * Thrown for a file that is not such a report. The message is one line with file, line and
   * column.
   */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  /** The statuses of mozlog, and those that wptrunner adds. */
  private static final Set<String> STATUSES =
      Set.of(
          "PASS",
          "FAIL",
          "OK",
          "ERROR",
          "TIMEOUT",
          "CRASH",
          "ASSERT",
          "PRECONDITION_FAILED",
          "NOTRUN",
          WptReport.SKIP,
          "EXTERNAL-TIMEOUT",
          "INTERNAL-ERROR");

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      // Some messages contain whole documents.
                      StreamReadConstraints.builder()
                          .maxStringLength(ReportFile.MAX_STRING)
                          .build())
                  .build())
          .build();

  private final Path file;
  private final JsonParser parser;
  private final Map<String, String> info = new LinkedHashMap<>();
  private final Map<String, Test> tests = new LinkedHashMap<>();
  private final Map<String, NotRun> notRun = new LinkedHashMap<>();
  private @Nullable Instant start;
  private @Nullable Instant end;
  private boolean hasResults;

  private WptReportReader(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * Reads a report.
   *
   * @throws MalformedException if the text is not a report
   * @throws IOException if the file cannot be read; the message is one line that names the file
   */
  public static RunReport read(Path file) throws IOException, MalformedException {
    if (Files.isDirectory(file)) {
      throw new IOException(name(file) + " is a directory");
    }
    try (Reader text = ReportFile.open(file);
        JsonParser parser = JSON.createParser(text)) {
      return new WptReportReader(file, parser).read();
    } catch (JsonProcessingException e) {
      JsonLocation location = e.getLocation();
      throw new MalformedException(
          place(file, location) + ": " + HarmlessText.line(JsonProblem.text(e)));
    } catch (CharacterCodingException e) {
      throw new MalformedException(name(file) + " is not UTF-8 text");
    } catch (NoSuchFileException e) {
      throw new IOException("the file " + name(file) + " does not exist", e);
    } catch (IOException e) {
      throw new IOException(name(file) + " cannot be read: " + IoProblem.text(e), e);
    }
  }

  private static String name(Path file) {
    return HarmlessText.line(file.toString());
  }

  private RunReport read() throws IOException, MalformedException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw malformed("a report must be an object");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "run_info" -> readInfo(parser.readValueAsTree());
        case "time_start" -> start = time(key);
        case "time_end" -> end = time(key);
        case "results" -> readResults();
        default -> parser.skipChildren();
      }
    }
    if (parser.nextToken() != null) {
      throw malformed("unexpected text after the report");
    }
    if (!hasResults) {
      throw malformed("the report has no \"results\"");
    }
    boolean interrupted = Boolean.parseBoolean(info.remove(WptReport.INTERRUPTED));
    return new RunReport(
        info, start, end, List.copyOf(tests.values()), List.copyOf(notRun.values()), interrupted);
  }

  private void readInfo(JsonNode node) {
    for (Map.Entry<String, JsonNode> fact : node.properties()) {
      if (fact.getValue().isValueNode() && !fact.getValue().isNull()) {
        info.put(fact.getKey(), fact.getValue().asText());
      }
    }
  }

  private @Nullable Instant time(String key) throws IOException, MalformedException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!parser.currentToken().isNumeric()) {
      throw malformed("\"" + key + "\" is not a number");
    }
    return Instant.ofEpochMilli((long) parser.getDoubleValue());
  }

  private void readResults() throws IOException, MalformedException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw malformed("\"results\" is not an array");
    }
    if (hasResults) {
      throw malformed("the report has \"results\" twice");
    }
    hasResults = true;
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      JsonLocation location = parser.currentTokenLocation();
      String name = "results[" + i + "]";
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw malformed(location, name + " is not an object");
      }
      readResult(parser.readValueAsTree(), name, location);
    }
  }

  private void readResult(JsonNode node, String name, JsonLocation location)
      throws MalformedException {
    String id = text(node, "test", name, location);
    String status = text(node, "status", name, location);
    if (!status.isEmpty() && !STATUSES.contains(status)) {
      throw malformed(location, name + " has the unknown status '" + status + "'");
    }
    String subsuite = node.path("subsuite").asText("");
    id = id.startsWith("/") ? id : "/" + id;
    // wptrunner leaves the status empty if it was stopped during a test.
    if (status.equals(WptReport.SKIP) || status.isEmpty()) {
      String message = message(node);
      NotRun left =
          new NotRun(
              id,
              subsuite,
              null,
              status.isEmpty() ? "not finished" : message == null ? "skipped" : message);
      if (!tests.containsKey(left.key())) {
        notRun.put(left.key(), left);
      }
      return;
    }
    List<Subtest> subtests = new ArrayList<>();
    JsonNode list = node.path("subtests");
    if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
      throw malformed(location, name + " (" + id + ") has \"subtests\" that are not an array");
    }
    for (JsonNode subtest : list) {
      String place = name + " (" + id + "), subtests[" + subtests.size() + "]";
      String subtestStatus = text(subtest, "status", place, location);
      if (!STATUSES.contains(subtestStatus)) {
        throw malformed(location, place + " has the unknown status '" + subtestStatus + "'");
      }
      subtests.add(
          new Subtest(
              text(subtest, "name", place, location),
              subtestStatus,
              message(subtest),
              expected(subtest, subtestStatus)));
    }
    JsonNode duration = node.path("duration");
    Test test =
        new Test(
            id,
            subsuite,
            status,
            message(node),
            duration.isNumber() ? Duration.ofMillis(duration.asLong()) : null,
            expected(node, status),
            subtests);
    tests.put(test.key(), test);
    notRun.remove(test.key());
  }

  private String text(JsonNode node, String key, String name, JsonLocation location)
      throws MalformedException {
    JsonNode value = node.path(key);
    if (!value.isTextual()) {
      throw malformed(
          location,
          name + (value.isMissingNode() ? " has no \"" : " has no string as \"") + key + "\"");
    }
    return value.asText();
  }

  private static @Nullable String message(JsonNode node) {
    JsonNode message = node.path("message");
    return message.isTextual() ? message.asText() : null;
  }

  private static Expected expected(JsonNode node, String status) {
    List<String> intermittent = new ArrayList<>();
    node.path("known_intermittent").forEach(each -> intermittent.add(each.asText()));
    return new Expected(node.path("expected").asText(status), intermittent, null);
  }

  private MalformedException malformed(String problem) {
    return malformed(parser.currentTokenLocation(), problem);
  }

  private MalformedException malformed(JsonLocation location, String problem) {
    return new MalformedException(place(file, location) + ": " + HarmlessText.line(problem));
  }

  private static String place(Path file, @Nullable JsonLocation location) {
    return location == null
        ? name(file)
        : name(file) + ":" + location.getLineNr() + ":" + Math.max(1, location.getColumnNr());
  }
}
