package dev.weblocks.wpt;

import java.time.Duration;

/** How long WPT gives a test file, before any factor. */
public enum TestTimeout {
  NORMAL(Duration.ofSeconds(10)),
  LONG(Duration.ofSeconds(60));

  private final Duration duration;

  TestTimeout(Duration duration) {
    this.duration = duration;
  }

  /** Equals the timer of {@code testharness.js} for the same file. */
  public Duration duration() {
    return duration;
  }
}
