package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.Limit;
import dev.weblocks.model.LimitEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of frames and of messages: what script and the embedder see when one is reached. */
class FrameAndMessageLimitsTest {

  private static final String ADD =
      """
      function add(where = document) {
        const frame = where.createElement('iframe');
        frame.onload = () => console.log('loaded');
        where.body.append(frame);
        return frame;
      }
      """;

  @Test
  void frame_beyond_the_limit_stays_empty_until_another_is_removed() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.framesPerWindow(2))) {
      Window window =
          bed.open(
              "https://one.test/",
              ADD
                  + """
                  const first = add();
                  add();
                  const third = add();
                  console.log(third.contentWindow, third.contentDocument, length);
                  """);
      assertEquals(List.of("loaded", "loaded", "null null 2"), bed.takeLog());
      bed.evaluate(
          window, "add(); first.remove(); document.body.append(third); console.log(length)");
      assertEquals(List.of("loaded", "2"), bed.takeLog());
      assertEquals(Map.of(Limit.FRAMES_PER_WINDOW, 2L), bed.userAgent.metrics().limitsReached());
      assertEquals(
          List.of(
              new LimitEvent(
                  Limit.FRAMES_PER_WINDOW,
                  "the document https://one.test/ has 2 frames, which is the limit; a further frame"
                      + " stays empty",
                  "window-1")),
          bed.events);
      assertEquals(List.of(), bed.errors);
    }
  }

  @Test
  void frames_in_frames_count_for_the_window_at_the_top() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.framesPerWindow(2))) {
      String script = ADD + "console.log(add(add().contentDocument).contentWindow.length)";
      Window window = bed.open("https://one.test/", script);
      assertEquals(List.of("loaded", "loaded", "0"), bed.takeLog());
      bed.evaluate(window, "console.log(add().contentWindow)");
      assertEquals(List.of("null"), bed.takeLog());
      Window neighbour = bed.open("https://one.test/", script);
      assertEquals(List.of("loaded", "loaded", "0"), bed.takeLog());
      bed.evaluate(
          neighbour, "frames[0].frameElement.remove(); console.log(!!add().contentWindow)");
      assertEquals(List.of("loaded", "true"), bed.takeLog());
    }
  }

  @Test
  void frames_of_a_left_document_do_not_count() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.framesPerWindow(1))) {
      bed.script("https://one.test/next", ADD + "console.log(!!add().contentWindow)");
      Window unused =
          bed.open("https://one.test/", ADD + "add(); onload = () => location.href = 'next'");
      assertEquals(List.of("loaded", "loaded", "true"), bed.log);
      assertEquals(List.of(), bed.events);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data => postMessage(data, '*')",
        "(data, t) => postMessage(data, '*', t)",
        "data => new BroadcastChannel('a').postMessage(data)",
        "(data, t) => new MessageChannel().port1.postMessage(data, t)",
        "(data, t) => new Worker('a.js').postMessage(data, t)",
        "data => history.pushState(data, '')",
      })
  void message_beyond_the_limit_throws_a_data_clone_error(String send) {
    try (LimitsBed bed = new LimitsBed(limits -> limits.messageSize(100))) {
      Window unused =
          bed.open(
              "https://one.test/",
              """
              const send = %s;
              const buffer = new ArrayBuffer(90);
              for (const [data, transfer] of [
                  ['x'.repeat(40), []], ['x'.repeat(50), []], [new Uint8Array(110), []],
                  [Array(20).fill(1), []], [{[`${'x'.repeat(50)}`]: 1}, []], [[1, 2], [buffer]]])
                try {
                  send(data, transfer);
                  console.log('sent');
                } catch (e) {
                  console.log(e.name, e.message.replace(/.*: /, ''));
                }
              console.log(buffer.byteLength);
              """
                  .formatted(send));
      String refused = "DataCloneError The message is larger than 100 bytes, which is the limit.";
      boolean transfers = send.startsWith("(data, t)");
      assertEquals(
          List.of("sent", refused, refused, refused, refused, transfers ? refused : "sent", "90"),
          bed.log);
      assertEquals(
          Map.of(Limit.MESSAGE_SIZE, transfers ? 5L : 4L), bed.userAgent.metrics().limitsReached());
      assertEquals(1, bed.events.size(), "the first time only");
      assertEquals(List.of(), bed.errors);
    }
  }

  @Test
  void clone_within_an_agent_is_no_message() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.messageSize(10))) {
      Window unused =
          bed.open("https://one.test/", "console.log(structuredClone('x'.repeat(100)).length)");
      assertEquals(List.of("100"), bed.log);
    }
  }
}
