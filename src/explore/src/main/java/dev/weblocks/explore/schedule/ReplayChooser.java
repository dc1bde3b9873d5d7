package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import java.util.List;
import java.util.stream.Collectors;

/** A chooser that follows a replay string; after its end, choices are the default. */
final class ReplayChooser implements Chooser {

  private final Replay replay;
  private int begun;

  ReplayChooser(Replay replay) {
    this.replay = replay;
  }

  @Override
  public int choose(Point point) {
    List<Replay.Given> given = replay.given();
    if (point.choice() >= given.size()) {
      return point.onward();
    }
    Replay.Given next = given.get(point.choice());
    if (next.index() >= point.ready().size() || next.check() != (point.print() & 0xff)) {
      throw new ReplayException(
          "does not fit: before step "
              + (point.step() + 1)
              + ", at choice "
              + (point.choice() + 1)
              + " of "
              + replay.choices()
              + ", there is work for "
              + point.ready().stream().map(ReplayChooser::shown).collect(Collectors.joining(", "))
              + ", but there was other work when the string was recorded; use the same scripts"
              + " and options");
    }
    return next.index();
  }

  private static String shown(Schedule.Actor actor) {
    return actor.nextStep().isEmpty() ? actor.name() : actor.name() + " (" + actor.nextStep() + ")";
  }

  @Override
  public void begins(int step, String actor, List<String> ready) {
    begun = step + 1;
  }

  boolean isAtEnd() {
    return begun >= replay.steps();
  }
}
