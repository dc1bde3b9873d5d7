package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.WptTest;
import java.io.IOException;
import java.util.List;

/** A lookup of the tests of a WPT file. */
@FunctionalInterface
public interface SourceTests {

  /**
   * Returns the tests of a file, sorted by id; empty if there is no such file.
   *
   * @param source from the WPT root, with leading slash
   * @throws IOException if the file cannot be read
   */
  List<WptTest> of(String source) throws IOException;
}
