package dev.weblocks.wpt.handlers;

import java.time.Duration;

/** Pauses that a query asks for. */
final class Pauses {

  private Pauses() {}

  /** A parameter in milliseconds, with a fraction perhaps; what is negative counts as nothing. */
  static Duration millis(Request request, String name, double otherwise) {
    String text = request.first(name).orElse(Double.toString(otherwise));
    double millis;
    try {
      millis = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + name + "' is no number: '" + text + "'", e);
    }
    return Duration.ofNanos(Math.max(0, (long) (millis * 1_000_000)));
  }
}
