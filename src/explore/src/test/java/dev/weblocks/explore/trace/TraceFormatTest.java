package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TraceFormatTest {

  @Test
  void format_follows_the_file_name_extension_and_defaults_to_json_lines() {
    assertEquals(TraceFormat.HTML, TraceFormat.of(Path.of("a/b.html")));
    assertEquals(TraceFormat.HTML, TraceFormat.of(Path.of("B.HTM")));
    assertEquals(TraceFormat.PERFETTO, TraceFormat.of(Path.of("b.json")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("b.jsonl")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("html")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("/dev/stdout")));
    assertEquals(TraceFormat.JSON_LINES, TraceFormat.of(Path.of("/")));
  }

  @Test
  void format_is_found_by_its_label() {
    assertEquals("jsonl, perfetto, html", TraceFormat.labels());
    for (TraceFormat format : TraceFormat.values()) {
      assertEquals(format, TraceFormat.named(format.label()));
    }
    assertNull(TraceFormat.named("HTML"));
  }
}
