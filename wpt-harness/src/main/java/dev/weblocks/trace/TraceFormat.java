package dev.weblocks.trace;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a trace may be written as. */
public enum TraceFormat {
  /** A JSON object for each step, one on a line, while things happen. */
  JSON_LINES("jsonl"),
  /** The JSON of the Trace Event Format, for Perfetto and {@code chrome://tracing}. */
  PERFETTO("perfetto"),
  /** A page with a timeline. */
  HTML("html");

  private final String label;

  TraceFormat(String label) {
    this.label = label;
  }

  /** What users call it: {@code jsonl}, {@code perfetto} or {@code html}. */
  public String label() {
    return label;
  }

  /** The names of all, for people. */
  public static String labels() {
    return Arrays.stream(values()).map(TraceFormat::label).collect(Collectors.joining(", "));
  }

  /** The format of a name; null if there is none. */
  public static @Nullable TraceFormat named(String label) {
    return Arrays.stream(values())
        .filter(format -> format.label.equals(label))
        .findFirst()
        .orElse(null);
  }

  /**
   * What a file's name says: {@code .html} and {@code .htm} are pages, {@code .json} is for
   * Perfetto, all others are JSON lines.
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
