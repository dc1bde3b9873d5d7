package dev.weblocks.explore.trace;

import dev.weblocks.explore.trace.Recorded.End;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * A trace listener that records one user agent. Thread-safe. Events after the end of the recording
 * are dropped.
 */
public final class Recording implements TraceListener, AutoCloseable {

  private final TraceOutput output;
  private final String title;
  private final String note;
  private final Names names;
  private final boolean keepsAll;

  // guarded by this
  private final List<TraceEvent> steps = new ArrayList<>();
  private final Map<Long, End> ends = new HashMap<>();

  /** Steps received before steps with lower ids, which other threads are about to report. */
  private final PriorityQueue<TraceEvent> early =
      new PriorityQueue<>(Comparator.comparingLong(TraceEvent::id));

  private long nextId = 1;
  private long lastId;
  private long begin = Long.MIN_VALUE;
  private boolean over;

  Recording(TraceOutput output, String title, String note, Names names, boolean keepsAll) {
    this.output = output;
    this.title = title;
    this.note = note;
    this.names = names;
    this.keepsAll = keepsAll;
  }

  /** Returns the title, which distinguishes the recording from others of its output. */
  public String title() {
    return title;
  }

  @Override
  public synchronized void on(TraceEvent event) {
    if (over) {
      return;
    }
    lastId = Math.max(lastId, event.id());
    if (keepsAll) {
      steps.add(event);
      return;
    }
    early.add(event);
    TraceEvent first = early.peek();
    while (first != null && first.id() <= nextId) {
      early.remove();
      pass(first);
      first = early.peek();
    }
  }

  private void pass(TraceEvent event) {
    if (begin == Long.MIN_VALUE) {
      begin = event.time().toNanos();
    }
    nextId = event.id() + 1;
    output.step(this, event, begin);
  }

  @Override
  public synchronized void ended(long id, Duration time) {
    if (keepsAll && !over) {
      ends.put(id, new End(time.toNanos(), lastId));
    }
  }

  /** Ends the recording. */
  @Override
  public void close() {
    Recorded whole = null;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      while (!early.isEmpty()) {
        pass(early.remove());
      }
      if (keepsAll) {
        steps.sort(Comparator.comparingLong(TraceEvent::id));
        whole = new Recorded(title, note, names, List.copyOf(steps), Map.copyOf(ends));
        steps.clear();
        ends.clear();
      }
    }
    output.over(this, whole);
  }
}
