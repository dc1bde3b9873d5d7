package dev.weblocks.harness.wpt.expect;

import java.nio.file.Path;

/**
 * A place in a file.
 *
 * @param line from 1
 * @param column from 1, in UTF-16 code units
 */
record Place(Path file, int line, int column) {

  Expectations.MalformedException error(String problem) {
    return new Expectations.MalformedException(this + ": " + problem);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
