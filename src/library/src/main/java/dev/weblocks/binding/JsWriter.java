package dev.weblocks.binding;

/** A writer of indented lines of JavaScript. */
final class JsWriter {

  private final StringBuilder out = new StringBuilder();
  private int depth;

  /**
   * Returns a template with arguments in place of {@code %s} and {@code %1$s}. A formatter is slow
   * until it is compiled, and all interfaces are written when an environment starts.
   */
  static String js(String template, Object... arguments) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    int from = 0;
    for (int at; (at = template.indexOf('%', from)) >= 0; ) {
      text.append(template, from, at);
      boolean isNext = template.charAt(at + 1) == 's';
      text.append(arguments[isNext ? next++ : template.charAt(at + 1) - '1']);
      from = at + (isNext ? 2 : 4);
    }
    return text.append(template, from, template.length()).toString();
  }

  JsWriter line(String text) {
    for (int i = 0; i < depth; i++) {
      out.append("  ");
    }
    out.append(text).append('\n');
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
    for (int from = 0, end; (end = other.out.indexOf("\n", from)) >= 0; from = end + 1) {
      line(other.out.substring(from, end));
    }
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
