package dev.weblocks.url;

/**
 * Lines of text in ascending order of their characters, searched without being parsed. Immutable.
 */
final class SortedLines {

  private final String text;

  /**
   * Creates the lines of a text.
   *
   * @param text its lines are sorted by {@link String#compareTo}; each ends with a line feed
   */
  SortedLines(String text) {
    this.text = text;
  }

  /** Returns whether one of the lines has exactly this text. */
  boolean contains(String line) {
    return floor(line).equals(line);
  }

  /** Returns the last line that is not above the given text; empty if there is none. */
  String floor(String upper) {
    String found = "";
    int low = 0;
    int high = text.length(); // both are starts of lines
    while (low < high) {
      int start = text.lastIndexOf('\n', (low + high >>> 1) - 1) + 1;
      int end = text.indexOf('\n', start);
      String line = text.substring(start, end);
      if (line.compareTo(upper) <= 0) {
        found = line;
        low = end + 1;
      } else {
        high = start;
      }
    }
    return found;
  }
}
