package dev.weblocks.explore.schedule;

import org.jspecify.annotations.Nullable;

/** A strategy with the one schedule of a replay string. */
final class ReplayStrategy implements Strategy {

  private final Replay replay;
  private boolean given;

  ReplayStrategy(Replay replay) {
    this.replay = replay;
  }

  @Override
  public @Nullable Chooser next() {
    if (given) {
      return null;
    }
    given = true;
    return replay.chooser();
  }

  @Override
  public void ran(Execution execution) {
    replay.requireFit(execution.steps().size(), execution.choices());
    Finding finding = execution.finding();
    if (finding == null || finding.kind() != replay.kind()) {
      throw new ReplayException(
          "does not fit: it was recorded with the finding "
              + replay.kind().label()
              + ", but the run ends with "
              + (finding == null ? "none" : finding.kind().label())
              + "; use the same scripts and options");
    }
  }

  @Override
  public boolean isExhausted() {
    return given;
  }
}
