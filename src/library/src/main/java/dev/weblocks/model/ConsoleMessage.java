package dev.weblocks.model;

import java.util.List;
import java.util.Objects;

/**
 * A message that script wrote to the console. Long texts are truncated, with a note of the omitted
 * length.
 *
 * @param level the log level of the Console Standard, in most cases the name of the function:
 *     {@code assert}, {@code count}, {@code countReset}, {@code debug}, {@code dir}, {@code
 *     dirxml}, {@code error}, {@code group}, {@code groupCollapsed}, {@code info}, {@code log}
 *     (also for {@code table}), {@code timeEnd}, {@code timeLog}, {@code trace}, {@code warn}, or
 *     {@code reportWarning} for a console timer that exists already or does not exist
 * @param text all parts, separated by spaces; each line is indented by two spaces for each
 *     enclosing group, up to twenty groups
 * @param url the URL of the document or worker
 * @param groupDepth the number of enclosing groups, from 0; the label of a group is not inside it
 * @param parts the texts of the arguments, after format specifiers were replaced and without
 *     indentation
 * @param agent the name of the agent, such as {@code window-1}; empty if it is not known
 * @see <a href="https://console.spec.whatwg.org/#printer">Console: Printer</a>
 */
public record ConsoleMessage(
    String level, String text, String url, int groupDepth, List<String> parts, String agent) {

  /** The severity of a message. */
  public enum Severity {
    LOG,
    INFO,
    WARN,
    ERROR
  }

  /** Creates a message; the list is copied. */
  public ConsoleMessage {
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(url, "url");
    parts = List.copyOf(Objects.requireNonNull(parts, "parts"));
    Objects.requireNonNull(agent, "agent");
  }

  /**
   * Returns the severity that the standard defines for the level.
   *
   * @see <a href="https://console.spec.whatwg.org/#loglevel-severity">Console: common
   *     conventions</a>
   */
  public Severity severity() {
    return switch (level) {
      case "error", "assert" -> Severity.ERROR;
      case "warn", "countReset", "reportWarning" -> Severity.WARN;
      case "info", "count", "timeEnd" -> Severity.INFO;
      default -> Severity.LOG;
    };
  }
}
