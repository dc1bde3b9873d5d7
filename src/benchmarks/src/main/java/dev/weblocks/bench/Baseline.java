package dev.weblocks.bench;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stored results of benchmarks: the time as a ratio to that of another benchmark of the same run,
 * and the allocated bytes. The class is among the tests rather than the benchmarks, so that the
 * build tests it.
 *
 * @param jvm the JVM for which it holds
 * @param mode the flags of that JVM for which it holds
 * @param entries by the label of a benchmark
 */
@JsonPropertyOrder({"jvm", "mode", "entries"})
record Baseline(String jvm, String mode, SortedMap<String, Entry> entries) {

  static final double NEW_RATIO_TOLERANCE = 1.6;
  static final double NEW_BYTES_TOLERANCE = 1.1;

  /** Fewer bytes than any object has; allocations of a whole run, spread over its operations. */
  static final double NO_OBJECT_BYTES = 4;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  Baseline {
    Objects.requireNonNull(jvm, "jvm");
    Objects.requireNonNull(mode, "mode");
    entries = new TreeMap<>(entries);
  }

  /**
   * The stored result of a benchmark, and its tolerances.
   *
   * @param reference the label of the benchmark that its time was divided by
   * @param ratio of the times, above 0
   * @param ratioTolerance factor by which the ratio may grow, at least 1
   * @param bytes allocated by one operation, not negative
   * @param bytesTolerance factor by which the bytes may grow, at least 1
   */
  @JsonPropertyOrder({"reference", "ratio", "ratioTolerance", "bytes", "bytesTolerance"})
  record Entry(
      String reference, double ratio, double ratioTolerance, double bytes, double bytesTolerance) {
    Entry {
      Objects.requireNonNull(reference, "reference");
      check("ratio", ratio, ratio > 0, "is not above 0");
      check("ratioTolerance", ratioTolerance, ratioTolerance >= 1, "is not 1 or more");
      check("bytes", bytes, bytes >= 0, "is negative");
      check("bytesTolerance", bytesTolerance, bytesTolerance >= 1, "is not 1 or more");
    }

    private static void check(String name, double value, boolean good, String what) {
      if (!good || !Double.isFinite(value)) {
        throw new IllegalArgumentException(
            name + " " + value + (Double.isFinite(value) ? " " + what : " is no number"));
      }
    }
  }

  /**
   * The current result of a benchmark.
   *
   * @param reference the label of the benchmark that its time was divided by
   * @param ratio of the times
   * @param bytes allocated by one operation
   */
  record Measured(String reference, double ratio, double bytes) {}

  /** An unusable text; the message is the reason, in one line. */
  static final class BadBaselineException extends Exception {
    private BadBaselineException(String message) {
      super(message);
    }
  }

  /** Parses the format of {@link #toJson()}. */
  static Baseline parse(String json) throws BadBaselineException {
    try {
      Baseline baseline = JSON.readValue(json, Baseline.class);
      if (baseline == null) {
        throw new BadBaselineException("null is no baseline");
      }
      for (Map.Entry<String, Entry> entry : baseline.entries.entrySet()) {
        if (entry.getValue() == null) {
          throw new BadBaselineException("the entry " + entry.getKey() + " is null");
        }
      }
      return baseline;
    } catch (JsonProcessingException e) {
      throw new BadBaselineException(lineOf(e));
    }
  }

  private static String lineOf(JsonProcessingException e) {
    String message = e.getOriginalMessage().lines().findFirst().orElse("");
    StringBuilder line = new StringBuilder();
    if (e.getLocation() != null) {
      line.append("line ").append(e.getLocation().getLineNr()).append(": ");
    }
    if (e instanceof JsonMappingException mapping) {
      for (JsonMappingException.Reference each : mapping.getPath()) {
        if (each.getFieldName() != null && !each.getFieldName().equals("entries")) {
          line.append(each.getFieldName()).append(": ");
        }
      }
    }
    Throwable cause = e.getCause();
    boolean ours =
        cause instanceof IllegalArgumentException || cause instanceof NullPointerException;
    return line.append(ours ? cause.getMessage() : message).toString();
  }

  String toJson() {
    try {
      return JSON.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Creates a baseline of measured results.
   *
   * @param earlier supplies the tolerances of its benchmarks; null for none
   */
  static Baseline of(
      String jvm, String mode, Map<String, Measured> measured, @Nullable Baseline earlier) {
    SortedMap<String, Entry> entries = new TreeMap<>();
    measured.forEach((label, now) -> {
      Entry before = earlier == null ? null : earlier.entries.get(label);
      entries.put(
          label,
          new Entry(
              now.reference,
              Math.max(0.001, Math.round(now.ratio * 1000) / 1000.0),
              before == null ? NEW_RATIO_TOLERANCE : before.ratioTolerance,
              Math.round(now.bytes * 10) / 10.0,
              before == null ? NEW_BYTES_TOLERANCE : before.bytesTolerance));
    });
    return new Baseline(jvm, mode, entries);
  }

  /**
   * Returns in one line why a measurement cannot be compared with this baseline; null if it can.
   *
   * @param references the label of the benchmark to divide by, by label of a benchmark
   */
  @Nullable String misfit(String currentJvm, String currentMode, Map<String, String> references) {
    if (!jvm.equals(currentJvm)) {
      return "it holds for " + jvm + ", and this is " + currentJvm;
    }
    if (!mode.equals(currentMode)) {
      return "it holds for " + mode + ", and the flags are " + currentMode;
    }
    for (Map.Entry<String, String> each : new TreeMap<>(references).entrySet()) {
      Entry entry = entries.get(each.getKey());
      if (entry == null) {
        return "it has no " + each.getKey();
      }
      if (!entry.reference.equals(each.getValue())) {
        return each.getKey()
            + " is compared with "
            + each.getValue()
            + ", and there with "
            + entry.reference;
      }
    }
    for (String label : entries.keySet()) {
      if (!references.containsKey(label)) {
        return "it has " + label + ", which is not measured";
      }
    }
    return null;
  }

  /** Returns one line for each benchmark beyond its tolerances. */
  List<String> worse(Map<String, Measured> measured) {
    List<String> lines = new ArrayList<>();
    entries.forEach((label, entry) -> {
      Measured now = Objects.requireNonNull(measured.get(label), label);
      List<String> reasons = new ArrayList<>();
      double mostBytes = entry.bytes * entry.bytesTolerance + NO_OBJECT_BYTES;
      if (!(now.bytes <= mostBytes)) { // so that NaN is worse
        reasons.add(
            text(
                "allocates %,.1f bytes, at most %,.1f (was %,.1f)",
                now.bytes, mostBytes, entry.bytes));
      }
      double mostRatio = entry.ratio * entry.ratioTolerance;
      if (!(now.ratio <= mostRatio)) {
        reasons.add(
            text("takes %.3f times as long as ", now.ratio)
                + entry.reference
                + text(", at most %.3f (was %.3f)", mostRatio, entry.ratio));
      }
      if (!reasons.isEmpty()) {
        lines.add(label + ": " + String.join("; ", reasons));
      }
    });
    return lines;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
