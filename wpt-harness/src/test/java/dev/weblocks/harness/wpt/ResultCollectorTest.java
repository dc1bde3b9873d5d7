package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultCollectorTest {

  private static final String PAGE = "http://web-platform.test:8000/a.any.html?x=%7C";

  private final AtomicInteger completions = new AtomicInteger();
  private final ResultCollector collector = new ResultCollector(PAGE, completions::incrementAndGet);

  private void accept(String fields) {
    collector.accept(("{\"page\":\"" + PAGE + "\"," + fields + "}").getBytes(UTF_8));
  }

  @Test
  void subtests_move_from_known_to_begun_to_finished() {
    accept("\"type\":\"state\",\"name\":\"one\",\"started\":false");
    accept("\"type\":\"state\",\"name\":\"two\",\"started\":false");
    accept("\"type\":\"state\",\"name\":\"two\",\"started\":true");
    accept("\"type\":\"state\",\"name\":\"three\",\"started\":true");
    accept("\"type\":\"result\",\"subtest\":{\"name\":\"three\",\"status\":1,\"message\":\"no\"}");

    ResultCollector.Snapshot seen = collector.snapshot();
    assertEquals(List.of(new SubtestResult("three", SubtestStatus.FAIL, "no")), seen.finished());
    assertEquals(Map.of("one", false, "two", true), seen.unfinished());
    assertEquals(Optional.empty(), seen.completion());
    assertEquals(0, completions.get());
  }

  @Test
  void reordered_messages_have_the_same_result() {
    accept("\"type\":\"result\",\"subtest\":{\"name\":\"one\",\"status\":0,\"message\":null}");
    accept("\"type\":\"state\",\"name\":\"one\",\"started\":true");
    accept("\"type\":\"state\",\"name\":\"two\",\"started\":true");
    accept("\"type\":\"state\",\"name\":\"two\",\"started\":false");

    assertEquals(Map.of("two", true), collector.snapshot().unfinished());
  }

  @Test
  void messages_after_completion_are_ignored() {
    accept(
        "\"type\":\"completion\",\"status\":2,\"message\":\"late\",\"subtests\":["
            + "{\"name\":\"a\",\"status\":3,\"message\":null},"
            + "{\"name\":\"b\",\"status\":4,\"message\":null}]");
    accept("\"type\":\"result\",\"subtest\":{\"name\":\"c\",\"status\":0,\"message\":null}");
    accept("\"type\":\"completion\",\"status\":0,\"message\":null,\"subtests\":[]");

    assertEquals(1, completions.get());
    assertEquals(List.of(), collector.snapshot().finished());
    assertEquals(
        Optional.of(
            new ResultCollector.Completion(
                HarnessStatus.TIMEOUT,
                "late",
                List.of(
                    new SubtestResult("a", SubtestStatus.NOTRUN, null),
                    new SubtestResult("b", SubtestStatus.PRECONDITION_FAILED, null)))),
        collector.snapshot().completion());
  }

  @Test
  void lone_surrogates_in_names_arrive_unchanged() {
    accept(
        "\"type\":\"result\",\"subtest\":"
            + "{\"name\":\"a\\ud800b\",\"status\":0,\"message\":\"\\udfff\"}");

    SubtestResult subtest = collector.snapshot().finished().getFirst();
    assertEquals("a\ud800b", subtest.name());
    assertEquals("\udfff", subtest.message());
  }

  @Test
  void reports_of_other_pages_are_ignored() {
    collector.accept(
        "{\"page\":\"http://web-platform.test:8000/frame.html\",\"type\":\"loaded\"}"
            .getBytes(UTF_8));

    assertFalse(collector.snapshot().loaded());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"type\":\"unheard-of\"",
        "\"type\":7",
        "\"type\":\"result\"",
        "\"type\":\"result\",\"subtest\":{\"name\":\"a\",\"status\":5}",
        "\"type\":\"result\",\"subtest\":{\"name\":\"a\",\"status\":\"PASS\"}",
        "\"type\":\"completion\",\"status\":-1,\"subtests\":[]"
      })
  void invalid_message_is_refused_and_quoted(String fields) {
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> accept(fields));

    assertEquals(true, String.valueOf(failure.getMessage()).contains(fields), failure::toString);
    assertEquals(List.of(), collector.snapshot().finished());
    assertEquals(0, completions.get());
  }
}
