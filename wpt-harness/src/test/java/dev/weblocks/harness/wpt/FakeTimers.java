package dev.weblocks.harness.wpt;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A clock and its timers, which the test advances. */
final class FakeTimers implements Timers, InstantSource {

  private static final class Entry {
    final Instant due;
    final Runnable action;
    boolean over;

    Entry(Instant due, Runnable action) {
      this.due = due;
      this.action = action;
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  @Override
  public Timer schedule(Duration delay, Runnable action) {
    Entry entry = new Entry(now.plus(delay), action);
    entries.add(entry);
    return () -> entry.over = true;
  }

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration time) {
    Instant end = now.plus(time);
    while (true) {
      Entry next =
          entries.stream()
              .filter(entry -> !entry.over && !entry.due.isAfter(end))
              .min(Comparator.comparing(entry -> entry.due))
              .orElse(null);
      if (next == null) {
        break;
      }
      now = next.due;
      next.over = true;
      next.action.run();
    }
    now = end;
  }

  long pending() {
    return entries.stream().filter(entry -> !entry.over).count();
  }
}
