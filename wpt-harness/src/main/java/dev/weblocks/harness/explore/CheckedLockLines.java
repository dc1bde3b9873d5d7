package dev.weblocks.harness.explore;

import dev.weblocks.embed.internal.LockInvariantListener;
import dev.weblocks.explore.schedule.LockLines;
import dev.weblocks.model.LockEvent;
import java.util.function.Consumer;
import java.util.function.Function;

/** A listener that also passes on broken invariants, for a user agent that sees all locks. */
final class CheckedLockLines extends LockLines implements LockInvariantListener {
  private final Consumer<String> violations;

  CheckedLockLines(
      Function<LockEvent, String> labels, Consumer<String> lines, Consumer<String> violations) {
    super(labels, lines);
    this.violations = violations;
  }

  @Override
  public void violated(String violation) {
    violations.accept(violation);
  }
}
