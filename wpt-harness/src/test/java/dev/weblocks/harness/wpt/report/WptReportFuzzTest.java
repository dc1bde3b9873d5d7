package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.weblocks.harness.wpt.report.WptReportReader.MalformedException;
import dev.weblocks.testing.FuzzTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The bytes of a stored report. They are read, or rejected with a {@link MalformedException} or, if
 * they are compressed, an {@link IOException}. A report that is written and read is the same.
 */
class WptReportFuzzTest extends FuzzTarget {

  private final Path file =
      Jimfs.newFileSystem(Configuration.unix()).getPath("/work", "report.json");

  @Override
  protected void accept(byte[] input) throws IOException, MalformedException {
    RunReport report;
    try {
      report = WptReportReader.read(Files.write(file, input));
    } catch (IOException | MalformedException documented) {
      return;
    }
    String text = new WptReport().write(report);
    RunReport again = WptReportReader.read(Files.writeString(file, text));
    assertEquals(text, new WptReport().write(again));
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("{\"a\":", "[", ""),
        new Shape("", "{\"a\":", ""),
        new Shape("{\"results\":[{\"x\":", "[", ""),
        new Shape("{\"run_info\":", "{\"a\":", ""),
        new Shape("{\"results\":[", "{\"test\":\"/a\",\"status\":\"OK\",\"subtests\":[]},", "{}]}"),
        new Shape(
            "{\"results\":[{\"test\":\"/a\",\"status\":\"OK\",\"subtests\":[",
            "{\"name\":\"a\",\"status\":\"PASS\"},",
            "{\"name\":\"b\",\"status\":\"PASS\"}]}]}"),
        new Shape("{\"results\":[],\"time_start\":", "1", "}"),
        new Shape("{\"results\":[],\"a\":\"", "\\n", "\"}"),
        new Shape("", " ", "x"));
  }
}
