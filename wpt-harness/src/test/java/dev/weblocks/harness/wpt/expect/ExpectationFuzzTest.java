package dev.weblocks.harness.wpt.expect;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.weblocks.harness.wpt.expect.Expectations.MalformedException;
import dev.weblocks.testing.FuzzTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A file of reasons, a null character, and a file of expectations. They are read, or rejected with
 * a {@link MalformedException}.
 */
class ExpectationFuzzTest extends FuzzTarget {

  private final Path folder = Jimfs.newFileSystem(Configuration.unix()).getPath("/work");

  @Override
  protected void accept(byte[] input) throws IOException {
    int end = 0;
    while (end < input.length && input[end] != 0) {
      end++;
    }
    byte[] reasons = Arrays.copyOf(input, end);
    byte[] expectations = Arrays.copyOfRange(input, Math.min(end + 1, input.length), input.length);
    Files.write(
        folder.resolve(Reasons.FILE),
        reasons.length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : reasons);
    Files.write(folder.resolve("a.html.json"), expectations);
    try {
      Expectations.loadDrafts(folder).unusedReasons();
    } catch (MalformedException documented) {
      // part of the contract
    }
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("{\"a", "-a", "\": {\"reason\": \"r\", \"link\": \"https://a\"}}\0{}"),
        new Shape("{\"a\": {\"reason\": \"r\", \"link\": \"", "a.md", ".\"}}\0{}"),
        new Shape("{\"a\": {\"reason\": \"r\", \"link\": \"https://", "a", " \"}}\0{}"),
        new Shape("", "[", ""),
        new Shape("\0", "[", ""),
        new Shape("\0", "{\"a\":", ""),
        new Shape("\0{\"/a\": {\"subtests\": {", "\"a\":", "1}}}"),
        new Shape("\0{\"/a\": {\"status\": \"", "x", "\"}}"),
        new Shape("\0", " ", ""),
        new Shape("\0{\"", "\u00e4", "\": {}}"));
  }
}
