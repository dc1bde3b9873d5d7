package dev.weblocks.harness.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.explore.ReportJson;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.JsonFields;
import dev.weblocks.harness.wpt.report.JsonLines;
import dev.weblocks.harness.wpt.report.ReportFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/**
 * A file with a report, as JSON.
 *
 * @param command the command that wrote it: {@code wpt}, {@code explore} or {@code differ}
 * @param values one object, or an object for each line of a report of {@code wpt}
 */
record StoredReport(Path file, String command, List<JsonNode> values) {

  /** The command whose report is {@link JsonLines}. */
  static final String WPT = "wpt";

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      // the states of a long exploration are one string
                      StreamReadConstraints.builder()
                          .maxStringLength(ReportFile.MAX_STATES)
                          .build())
                  .build())
          .build();

  /**
   * Reads a file.
   *
   * @throws CommandFailure if it cannot be read, or is no report
   */
  static StoredReport of(Path file) throws CommandFailure {
    List<JsonNode> values;
    try (Reader text = ReportFile.open(file);
        MappingIterator<JsonNode> objects = JSON.readerFor(JsonNode.class).readValues(text)) {
      values = objects.readAll();
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation(); // null if values are nested too deeply
      throw new CommandFailure(
          "the report %s is not JSON%s; name another"
              .formatted(
                  HarmlessText.line(file.toString()),
                  at == null
                      ? ""
                      : " from line %d, column %d on".formatted(at.getLineNr(), at.getColumnNr())));
    } catch (IOException e) {
      throw new CommandFailure(
          "the report %s cannot be read: %s; name another"
              .formatted(HarmlessText.line(file.toString()), IoProblem.text(e)));
    }
    if (!values.isEmpty()) {
      JsonNode first = values.getFirst();
      if (JsonLines.nameOf(first).equals(JsonLines.RUN_START)) {
        return new StoredReport(file, WPT, values);
      }
      String command = first.path("command").asText();
      if (List.of(ReportJson.COMMAND, DifferResults.COMMAND).contains(command)) {
        return new StoredReport(file, command, values);
      }
    }
    throw malformed(file, "");
  }

  CommandFailure malformed(String why) {
    return malformed(file, ": " + why);
  }

  private static CommandFailure malformed(Path file, String why) {
    return new CommandFailure(
        "%s is not a whole report of wpt --jsonl, explore --json or differ --json%s; name another"
            .formatted(HarmlessText.line(file.toString()), why));
  }

  /**
   * Returns the content in another form.
   *
   * @throws CommandFailure if the function throws because the content is malformed
   */
  <T> T as(Function<List<JsonNode>, T> form) throws CommandFailure {
    try {
      return form.apply(values);
    } catch (JsonFields.WrongFieldException e) {
      throw malformed(file, ": " + HarmlessText.line(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException | ReplayException | TypeConversionException e) {
      throw malformed(file, "");
    }
  }

  /** Returns the settings in a report of {@code explore} or {@code differ}. */
  Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    values
        .getFirst()
        .path("settings")
        .properties()
        .forEach(each ->
            settings.put(
                each.getKey(),
                each.getValue().isTextual() ? each.getValue().asText() : each.getValue()));
    return settings;
  }

  /**
   * Returns a report of {@code explore} or {@code differ} for checks.
   *
   * @param complete whether the run ended as planned
   */
  ShardReport shard(boolean complete) throws CommandFailure {
    Map<String, String> facts = new LinkedHashMap<>();
    settings().forEach((name, value) -> facts.put(name, value.toString()));
    String shard = facts.remove(Shard.SETTING);
    return new ShardReport(
        file, shard == null ? null : as(unused -> Values.shard(shard)), complete, facts);
  }
}
