package dev.weblocks.explore.trace;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats of traces. */
public enum TraceFormat {
  /** JSON lines: an object for each step, written while the program runs. */
  JSON_LINES("jsonl"),
  /** The JSON of the Trace Event Format, for Perfetto and {@code chrome://tracing}. */
  PERFETTO("perfetto"),
  /** A page with a timeline. */
  HTML("html");

  private final String label;

  TraceFormat(String label) {
    this.label = label;
  }

  /** Returns the display name: {@code jsonl}, {@code perfetto} or {@code html}. */
  public String label() {
    return label;
  }

  /** Returns the display names of all formats, separated by commas. */
  public static String labels() {
    return Arrays.stream(values()).map(TraceFormat::label).collect(Collectors.joining(", "));
  }

  /** Returns the format with a name; null if there is none. */
  public static @Nullable TraceFormat named(String label) {
    return Arrays.stream(values())
        .filter(format -> format.label.equals(label))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the format for the extension of a file: {@code .html} and {@code .htm} are pages,
   * {@code .json} is for Perfetto, all others are JSON lines.
   */
  public static TraceFormat of(Path file) {
    Path last = file.getFileName();
    String name = last == null ? "" : last.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".html") || name.endsWith(".htm")) {
      return HTML;
    }
    return name.endsWith(".json") ? PERFETTO : JSON_LINES;
  }
}
