package dev.weblocks.harness.wpt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.url.PercentEncoding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of the messages that the page of one test posts, so that results survive any failure of
 * the page. Messages may arrive in any order and on any thread.
 */
public final class ResultCollector {

  /** The final message of a page. */
  public record Completion(
      HarnessStatus status, @Nullable String message, List<SubtestResult> subtests) {}

  /**
   * The results so far.
   *
   * @param loaded whether the page has run the reporting script
   * @param finished subtests with a result
   * @param unfinished other subtests by name; true for those that have begun
   * @param completion empty until the page reports completion
   * @param notes problems of the server, without duplicates
   */
  public record Snapshot(
      boolean loaded,
      List<SubtestResult> finished,
      Map<String, Boolean> unfinished,
      Optional<Completion> completion,
      List<String> notes) {}

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<HarnessStatus> HARNESS_CODES =
      List.of(
          HarnessStatus.OK,
          HarnessStatus.ERROR,
          HarnessStatus.TIMEOUT,
          HarnessStatus.PRECONDITION_FAILED);
  private static final List<SubtestStatus> SUBTEST_CODES =
      List.of(
          SubtestStatus.PASS,
          SubtestStatus.FAIL,
          SubtestStatus.TIMEOUT,
          SubtestStatus.NOTRUN,
          SubtestStatus.PRECONDITION_FAILED);

  private final String page;
  private final Runnable onCompletion;

  private boolean loaded;
  private final List<SubtestResult> finished = new ArrayList<>();
  private final Map<String, Boolean> unfinished = new LinkedHashMap<>();
  private final LinkedHashSet<String> notes = new LinkedHashSet<>();
  private @Nullable Completion completion;

  /**
   * @param page URL of the test; reports of other pages are ignored
   * @param onCompletion runs once, on the thread that delivers the final message
   */
  public ResultCollector(String page, Runnable onCompletion) {
    this.page = PercentEncoding.decode(page);
    this.onCompletion = onCompletion;
  }

  /**
   * Handles one message of {@code testharnessreport.js} or {@code crashtestreport.js}.
   *
   * @throws IllegalArgumentException if it is not such a message; the exception quotes it
   */
  void accept(byte[] json) {
    JsonNode message;
    try {
      message = JSON.readTree(Texts.utf8(json));
    } catch (JsonProcessingException e) {
      throw malformed("not JSON", json);
    }
    boolean completed;
    try {
      completed = apply(message);
    } catch (IllegalStateException e) {
      throw malformed(String.valueOf(e.getMessage()), json);
    }
    if (completed) {
      onCompletion.run();
    }
  }

  /** Applies a message. Returns whether it was the final one. */
  private synchronized boolean apply(JsonNode message) {
    if (!PercentEncoding.decode(textOf(message, "page")).equals(page) || completion != null) {
      return false;
    }
    loaded = true;
    switch (textOf(message, "type")) {
      case "loaded" -> {}
      case "state" -> {
        String name = textOf(message, "name");
        if (finished.stream().noneMatch(subtest -> subtest.name().equals(name))) {
          unfinished.merge(name, message.path("started").booleanValue(), Boolean::logicalOr);
        }
      }
      case "result" -> {
        SubtestResult subtest = subtest(message.path("subtest"));
        unfinished.remove(subtest.name());
        finished.add(subtest);
      }
      case "completion" -> {
        List<SubtestResult> subtests = new ArrayList<>();
        message.path("subtests").forEach(node -> subtests.add(subtest(node)));
        HarnessStatus status = code(HARNESS_CODES, message);
        completion = new Completion(status, message(message), List.copyOf(subtests));
        return true;
      }
      case "crashtest" -> {
        completion = new Completion(HarnessStatus.PASS, null, List.of());
        return true;
      }
      default -> throw new IllegalStateException("unknown type");
    }
    return false;
  }

  /** Stores a note that may explain a missing result. */
  synchronized void note(@Nullable String note) {
    if (note != null) {
      notes.add(note);
    }
  }

  /** Returns the results so far. */
  public synchronized Snapshot snapshot() {
    return new Snapshot(
        loaded,
        List.copyOf(finished),
        new LinkedHashMap<>(unfinished),
        Optional.ofNullable(completion),
        List.copyOf(notes));
  }

  private static SubtestResult subtest(JsonNode node) {
    return new SubtestResult(textOf(node, "name"), code(SUBTEST_CODES, node), message(node));
  }

  private static <T> T code(List<T> codes, JsonNode node) {
    JsonNode status = node.path("status");
    if (!status.isIntegralNumber() || status.intValue() < 0 || status.intValue() >= codes.size()) {
      throw new IllegalStateException("unknown status " + status);
    }
    return codes.get(status.intValue());
  }

  private static String textOf(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual()) {
      throw new IllegalStateException("'" + field + "' is not a string");
    }
    return value.textValue();
  }

  private static @Nullable String message(JsonNode node) {
    return node.path("message").textValue();
  }

  private static IllegalArgumentException malformed(String why, byte[] json) {
    return new IllegalArgumentException(
        "the page sent a malformed report (" + why + "): " + Texts.shorten(Texts.utf8(json)));
  }
}
