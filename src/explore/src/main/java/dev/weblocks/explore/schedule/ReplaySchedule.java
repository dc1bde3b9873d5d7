package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import java.util.List;
import java.util.function.Predicate;

/**
 * The schedule of a replay string, for a run of a scenario outside of an exploration. The run must
 * have the same configuration as in the exploration.
 */
public final class ReplaySchedule implements Schedule {

  private final Replay replay;
  private final ReplayChooser chooser;
  private final Recorder recorder;

  /**
   * Creates a schedule for one driver.
   *
   * @param prepares see {@link Scenario#prepares}
   * @throws ReplayException if the string is not a replay string
   */
  public ReplaySchedule(String text, Predicate<Actor> prepares) {
    this.replay = Replay.parse(text);
    this.chooser = replay.chooser();
    this.recorder =
        new Recorder(chooser, replay.earlyTimers(), prepares, turn -> Footprint.EVERYTHING, null);
  }

  /** Returns the kind of finding that the schedule leads to. */
  public Finding.Kind kind() {
    return replay.kind();
  }

  /** Returns whether all steps up to the finding have been taken. */
  public boolean isOver() {
    return chooser.isAtEnd();
  }

  /**
   * Checks that the run matches the recorded run. To be called when {@link #isOver()}, or when
   * nothing is left to do.
   *
   * @throws ReplayException if it does not
   */
  public void requireFit() {
    recorder.stop();
    replay.requireFit(recorder.stepCount(), recorder.choices());
  }

  @Override
  public boolean choosesTime() {
    return recorder.choosesTime();
  }

  @Override
  public boolean observesTurns() {
    return true;
  }

  @Override
  public int choose(List<Actor> ready) {
    return recorder.choose(ready);
  }

  @Override
  public void turnBegins(long number, Actor actor, List<Actor> ready) {
    recorder.turnBegins(number, actor, ready);
  }

  @Override
  public void turnEnded(Turn turn) {
    recorder.turnEnded(turn);
  }
}
