package dev.weblocks.xhr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileReaderTest {

  private static final String WATCH =
      """
      function watched(name = '') {
        const reader = new FileReader();
        for (const type of ['loadstart', 'progress', 'load', 'abort', 'error', 'loadend']) {
          reader.addEventListener(type, e => console.log(`${name}${type} ${reader.readyState} ${e.loaded}/${e.total}`));
        }
        return reader;
      }
      """;

  @Test
  void events_fire_in_the_order_that_the_standard_specifies() {
    assertEquals(
        List.of(
            "1 null",
            "loadstart 1 0/3",
            "progress 1 3/3",
            "load 2 3/3",
            "loadend 2 3/3",
            "abc null"),
        Scenario.logOf(
            WATCH
                + "const reader = watched(); reader.readAsText(new Blob(['abc']));"
                + "console.log(reader.readyState, reader.result);"
                + "reader.onloadend = () => console.log(reader.result, reader.error)"));
  }

  @Test
  void empty_blob_fires_no_progress_event() {
    assertEquals(
        List.of("loadstart 1 0/0", "load 2 0/0", "loadend 2 0/0"),
        Scenario.logOf(WATCH + "watched().readAsArrayBuffer(new Blob())"));
  }

  @Test
  void abort_fires_its_events_at_once_and_no_others_follow() {
    assertEquals(
        List.of("abort 2 0/0", "loadend 2 0/0", "null"),
        Scenario.logOf(
            WATCH
                + "const reader = watched(); reader.abort(); reader.readAsText(new Blob(['a']));"
                + "reader.abort(); console.log(reader.result)"));
  }

  @Test
  void reader_restarted_in_its_load_event_fires_one_loadend() {
    assertEquals(
        List.of("first", "second", "end second", "InvalidStateError"),
        Scenario.logOf(
            "const reader = new FileReader();"
                + "reader.onload = () => { console.log(reader.result);"
                + " if (reader.result === 'first') reader.readAsText(new Blob(['second'])) };"
                + "reader.onloadend = () => { console.log('end ' + reader.result);"
                + " reader.onload = null; reader.onloadend = null; reader.readAsText(new Blob());"
                + " try { reader.readAsText(new Blob()) } catch (e) { console.log(e.name) } };"
                + "reader.readAsText(new Blob(['first']))"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "readAsText | 'é\u20ac' | '' |  | é\u20ac",
        "readAsText | new Uint8Array([0xE9]) | '' | 'latin1' | é",
        "readAsText | new Uint8Array([0xE9]) | 'a/b;charset=latin1' | 'nonsense' | é",
        "readAsText | new Uint8Array([0xE9]) | 'a/b;charset=nonsense' |  | \ufffd",
        "readAsText | new Uint8Array([0xFE, 0xFF, 0, 97]) | '' | 'utf-8' | a",
        "readAsText | new Uint8Array([0xEF, 0xBB, 0xBF, 97]) | '' | 'utf-16le' | a",
        "readAsBinaryString | new Uint8Array([97, 0xE9]) | '' |  | aé",
        "readAsDataURL | 'abc' | 'x/y' |  | data:x/y;base64,YWJj",
        "readAsDataURL | 'abc' | '' |  | data:application/octet-stream;base64,YWJj",
        "readAsArrayBuffer | 'abc' | '' |  | [object ArrayBuffer]",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void both_readers_return_the_result_of_the_method(
      String method, String part, String type, String encoding, String expected) {
    String blob = "new Blob([" + part + "], {type: " + type + "})";
    String call = method + "(" + blob + (encoding == null ? "" : ", " + encoding) + ")";
    try (Scenario scenario =
        new Scenario(1)
            .resource(
                "/worker.js",
                "console.log(typeof FileReader + String(new FileReaderSync()." + call + "))")) {
      assertEquals(
          List.of(expected, "function" + expected),
          scenario
              .window(
                  "console.assert(typeof FileReaderSync === 'undefined');"
                      + "const reader = new FileReader(); reader."
                      + call
                      + "; reader.onload = () => { console.log(String(reader.result));"
                      + " new Worker('/worker.js') }")
              .run());
    }
  }
}
