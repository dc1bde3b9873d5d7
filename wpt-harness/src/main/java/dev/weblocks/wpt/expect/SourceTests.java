package dev.weblocks.wpt.expect;

import dev.weblocks.wpt.WptTest;
import java.io.IOException;
import java.util.List;

/** Tells which tests a file of WPT makes. */
@FunctionalInterface
public interface SourceTests {

  /**
   * The tests of a file, sorted by id; none when there is no such file.
   *
   * @param source from the WPT root, with leading slash
   * @throws IOException when the file cannot be read
   */
  List<WptTest> of(String source) throws IOException;
}
