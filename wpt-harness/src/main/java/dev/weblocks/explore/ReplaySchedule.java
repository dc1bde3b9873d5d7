package dev.weblocks.explore;

import dev.weblocks.embed.Schedule;
import java.util.List;

/**
 * The schedule of a replay string, for a run of the same scripts outside of an exploration. Apart
 * from that the run has to be as {@link ScriptScenario} makes it.
 */
public final class ReplaySchedule implements Schedule {

  private final Replay replay;
  private final ReplayChooser chooser;
  private final Recorder recorder;

  /**
   * Makes one, for one driver.
   *
   * @throws ReplayException if the string is none
   */
  public ReplaySchedule(String text) {
    this.replay = Replay.parse(text);
    this.chooser = replay.chooser();
    this.recorder =
        new Recorder(
            chooser,
            replay.earlyTimers(),
            ScriptScenario::preparesScript,
            turn -> Footprint.EVERYTHING,
            null);
  }

  /** What was found when the string was made. */
  public Finding.Kind kind() {
    return replay.kind();
  }

  /** Whether all steps were taken up to the finding. */
  public boolean isOver() {
    return chooser.isAtEnd();
  }

  /**
   * To be called when {@link #isOver()}, or when nothing is left.
   *
   * @throws ReplayException if the run was not the one that the string was made of
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
