package dev.weblocks.explore.schedule;

import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.LockMode;
import java.util.function.Consumer;
import java.util.function.Function;

/** A listener that turns lock events into lines of text. */
public class LockLines implements LockListener {

  private final Function<LockEvent, String> labels;
  private final Consumer<String> lines;

  /**
   * Creates a listener.
   *
   * @param labels returns the display name of the client of an event
   * @param lines receives each line
   */
  public LockLines(Function<LockEvent, String> labels, Consumer<String> lines) {
    this.labels = labels;
    this.lines = lines;
  }

  private void add(LockEvent event, String what, String more) {
    lines.accept(labels.apply(event) + " " + what + " '" + event.name() + "'" + more);
  }

  @Override
  public void requested(LockEvent event) {
    add(event, "requests", event.mode() == LockMode.SHARED ? " (shared)" : "");
  }

  @Override
  public void granted(LockEvent event) {
    add(event, "is granted", "");
  }

  @Override
  public void missed(LockEvent event) {
    add(event, "does not get", "");
  }

  @Override
  public void aborted(LockEvent event) {
    add(event, "stops waiting for", "");
  }

  @Override
  public void released(LockEvent event) {
    add(event, "releases", "");
  }

  @Override
  public void stolen(LockEvent event) {
    add(event, "loses", " (stolen)");
  }
}
