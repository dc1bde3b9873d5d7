package dev.weblocks.harness.wpt;

import java.time.Duration;

/** The timeout that WPT gives a test file, without the timeout factor of a run. */
public enum TestTimeout {
  NORMAL(Duration.ofSeconds(10)),
  LONG(Duration.ofSeconds(60));

  private final Duration duration;

  TestTimeout(Duration duration) {
    this.duration = duration;
  }

  /**
   * Returns the duration, which equals that of the timer in {@code testharness.js} for the same
   * file.
   */
  public Duration duration() {
    return duration;
  }
}
