package dev.weblocks.harness.wpt.handlers;

import java.time.Duration;

/** A parser of the pauses that a query requests. */
final class Pauses {

  private Pauses() {}

  /** Returns the pause that a parameter gives in milliseconds; zero if it is negative. */
  static Duration millis(Request request, String name, double otherwise) {
    String text = request.first(name).orElse(Double.toString(otherwise));
    double millis;
    try {
      millis = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + name + "' is not a number: '" + text + "'", e);
    }
    return Duration.ofNanos(Math.max(0, (long) (millis * 1_000_000)));
  }
}
