package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.TraceEvent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraceOutputTest {

  private static final List<String> SCRIPTS = List.of("navigator.locks.request('a', () => {})");

  /** A disk with space for so many characters. */
  private static final class FullDisk extends Writer {
    private int room;
    private boolean closed;

    FullDisk(int room) {
      this.room = room;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      room -= length;
      if (room < 0) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      closed = true;
    }
  }

  @ParameterizedTest
  @EnumSource
  void full_disk_affects_no_agent_and_makes_close_throw(TraceFormat format) {
    FullDisk disk = new FullDisk(700);
    TraceOutput output = new TraceOutput(format, disk);
    TraceBed.run(output.record("a"), 1, SCRIPTS);
    TraceBed.run(output.record("b"), 1, SCRIPTS);
    IOException full = assertThrows(IOException.class, output::close);
    assertEquals("No space left on device", full.getMessage());
    assertTrue(disk.closed);
  }

  @ParameterizedTest
  @EnumSource
  void same_seed_writes_the_same_bytes(TraceFormat format) throws IOException {
    assertEquals(
        TraceBed.written(format, TraceBed.ALL_SORTS), TraceBed.written(format, TraceBed.ALL_SORTS));
  }

  @ParameterizedTest
  @EnumSource
  void close_writes_an_open_recording_and_nothing_is_written_later(TraceFormat format)
      throws IOException {
    List<TraceEvent> steps = TraceBed.steps(1, SCRIPTS);
    StringWriter text = new StringWriter();
    TraceOutput output = new TraceOutput(format, text);
    Recording recording = output.record("never over");
    steps.subList(0, steps.size() - 1).forEach(recording::on);
    output.close();
    String written = text.toString();
    assertTrue(written.contains("never over"), written);
    recording.on(steps.getLast());
    recording.ended(1, Duration.ZERO);
    recording.close();
    output.close();
    assertEquals(written, text.toString());
  }

  @ParameterizedTest
  @EnumSource
  void output_without_recordings_is_complete(TraceFormat format) throws IOException {
    StringWriter text = new StringWriter();
    new TraceOutput(format, text).close();
    String expected =
        switch (format) {
          case JSON_LINES -> "";
          case PERFETTO -> "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}\n";
          case HTML -> "</html>\n";
        };
    assertTrue(text.toString().endsWith(expected), text.toString());
  }

  @ParameterizedTest
  @EnumSource
  void recording_without_steps_is_written(TraceFormat format) throws IOException {
    StringWriter text = new StringWriter();
    try (TraceOutput output = new TraceOutput(format, text)) {
      output.record("zilch").close();
    }
    assertEquals(format == TraceFormat.HTML, text.toString().contains("zilch"));
  }
}
