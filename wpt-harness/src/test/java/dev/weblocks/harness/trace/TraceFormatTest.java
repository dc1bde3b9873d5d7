package dev.weblocks.harness.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TraceFormatTest {

  @Test
  void format_follows_the_end_of_the_name_and_is_json_lines_otherwise() {
    assertEquals(TraceFormat.HTML, TraceFormat.of(Path.of("a/b.html")));
    assertEquals(TraceFormat.HTML, TraceFormat.of(Path.of("B.HTM")));
    assertEquals(TraceFormat.PERFETTO, TraceFormat.of(Path.of("b.json")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("b.jsonl")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("html")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("/dev/stdout")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("/")));
  }

  @Test
  void formats_have_the_names_that_are_listed() {
    assertEquals("jsonl, perfetto, html", TraceFormat.labels());
    for (TraceFormat format : TraceFormat.values()) {
      assertEquals(format, TraceFormat.named(format.label()));
    }
    assertNull(TraceFormat.named("HTML"));
  }
}
