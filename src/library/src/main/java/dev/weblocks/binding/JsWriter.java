package dev.weblocks.binding;

/** A writer of indented lines of JavaScript. */
final class JsWriter {

  private final StringBuilder out = new StringBuilder();
  private int depth;

  JsWriter line(String text) {
    out.append("  ".repeat(depth)).append(text).append('\n');
    return this;
  }

  /** Writes a line, after which a block begins. */
  JsWriter open(String text) {
    line(text);
    depth++;
    return this;
  }

  /** Writes the line that ends a block. */
  JsWriter close(String text) {
    depth--;
    return line(text);
  }

  /** Writes the line between two blocks, such as {@code } else {}. */
  JsWriter between(String text) {
    return close(text).indent();
  }

  private JsWriter indent() {
    depth++;
    return this;
  }

  /** Writes the lines of another writer, at this one's indentation. */
  JsWriter lines(JsWriter other) {
    other.out.toString().lines().forEach(this::line);
    return this;
  }

  boolean isEmpty() {
    return out.isEmpty();
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
