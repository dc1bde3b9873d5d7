package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.harness.run.HiddenTime;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** The parser of the values of options. The messages of its exceptions describe valid input. */
final class Values {

  private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,15}([.]\\d{1,15})?");

  private static final Pattern SHARD = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");

  private Values() {}

  /**
   * Parses a duration such as {@code 1.5m}.
   *
   * @throws IllegalArgumentException if the text is none, or it is zero or longer than 290 years;
   *     the message begins with the text in quotes
   */
  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; use one such as 500ms, 10s, 1.5m or 1h");
    }
    long unit =
        switch (matcher.group(2)) {
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        };
    BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (nanos.signum() == 0 || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is out of range; it must be more than 0, and below 290 years");
    }
    return Duration.ofNanos(nanos.longValue());
  }

  /**
   * Parses a time such as {@code 5m..10m}, {@code 5m..} or {@code ..10m}.
   *
   * @throws IllegalArgumentException if the text is none, or it ends before it begins; the message
   *     begins with the text in quotes
   */
  static HiddenTime hiddenTime(String text) {
    String[] ends = text.split("[.][.]", -1);
    if (ends.length != 2 || text.equals("..")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time; use one such as 5m..10m, 5m.. or ..10m");
    }
    Duration from = ends[0].isEmpty() ? null : duration(ends[0]);
    Duration to = ends[1].isEmpty() ? null : duration(ends[1]);
    if (from != null && to != null && from.compareTo(to) >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "' ends before it begins; put the earlier time first");
    }
    return new HiddenTime(from, to);
  }

  /** Registers the converters. To be called after all commands are added. */
  static void register(CommandLine command) {
    command
        .registerConverter(int.class, Values::integer)
        .registerConverter(Integer.class, Values::integer)
        .registerConverter(long.class, Values::whole)
        .registerConverter(Long.class, Values::whole)
        .registerConverter(double.class, Values::decimal)
        .registerConverter(Double.class, Values::decimal)
        .registerConverter(Shard.class, Values::shard)
        .registerConverter(Path.class, Values::path)
        .registerConverter(Pattern.class, Values::expression);
  }

  private static int integer(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          text.matches("-?\\d+") ? "a smaller number is needed" : "a whole number is needed");
    }
  }

  private static long whole(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE + " is needed");
    }
  }

  /** Returns a part of a whole; the limit of the number of parts is far above any use. */
  static Shard shard(String text) {
    Matcher matcher = SHARD.matcher(text);
    if (matcher.matches()) {
      int number = Integer.parseInt(matcher.group(1));
      int total = Integer.parseInt(matcher.group(2));
      if (number >= 1 && number <= total) {
        return new Shard(number, total);
      }
    }
    throw new TypeConversionException(
        "a part such as 2/4 is needed, with a number from 1 to the number of parts");
  }

  private static double decimal(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      throw new TypeConversionException("a number such as 2 or 0.5 is needed");
    }
    return Double.parseDouble(text);
  }

  /** Returns a path. Rejects the empty path, which Java resolves to the working directory. */
  static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("a path is needed");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("a path is needed: " + e.getReason());
    }
  }

  private static Pattern expression(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("an expression is needed");
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new TypeConversionException(
          "not an expression of java.util.regex: "
              + e.getDescription()
              + (e.getIndex() < 0
                  ? ""
                  : " at character " + Math.min(e.getIndex() + 1, text.length())));
    }
  }

  /**
   * Checks the range of a number.
   *
   * @return an error message; null if it is in range
   */
  static @Nullable String outOfRange(String option, long value, long least, long most) {
    return value >= least && value <= most
        ? null
        : option + " is " + value + ": a number from " + least + " to " + most + " is needed";
  }
}
