package dev.weblocks.harness.explore;

import dev.weblocks.embed.LockEvent;
import dev.weblocks.embed.LockListener;
import dev.weblocks.embed.internal.LockInvariantListener;
import dev.weblocks.model.LockMode;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A listener that turns lock events into lines of text, and passes on broken invariants.
 *
 * @param labels returns the display name of the client of an event
 * @param lines receives each line
 * @param violations receives each broken invariant
 */
record LockLines(
    Function<LockEvent, String> labels, Consumer<String> lines, Consumer<String> violations)
    implements LockListener, LockInvariantListener {

  @Override
  public void violated(String violation) {
    violations.accept(violation);
  }

  /** Returns a listener that adds the same lines, and checks no invariants. */
  LockListener withoutInvariants() {
    LockLines lines = this;
    return new LockListener() {
      @Override
      public void requested(LockEvent event) {
        lines.requested(event);
      }

      @Override
      public void granted(LockEvent event) {
        lines.granted(event);
      }

      @Override
      public void missed(LockEvent event) {
        lines.missed(event);
      }

      @Override
      public void aborted(LockEvent event) {
        lines.aborted(event);
      }

      @Override
      public void released(LockEvent event) {
        lines.released(event);
      }

      @Override
      public void stolen(LockEvent event) {
        lines.stolen(event);
      }
    };
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
