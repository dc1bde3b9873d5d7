package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Turn;
import dev.weblocks.agent.TurnListener;
import java.util.List;

/**
 * An adapter from a schedule of the embedder to the {@link dev.weblocks.agent.Schedule} that a
 * deterministic driver uses.
 */
class ScheduleAdapter implements dev.weblocks.agent.Schedule {

  final Schedule schedule;

  private ScheduleAdapter(Schedule schedule) {
    this.schedule = schedule;
  }

  static dev.weblocks.agent.Schedule of(Schedule schedule) {
    return schedule.observesTurns()
        ? new ObservingAdapter(schedule)
        : new ScheduleAdapter(schedule);
  }

  private static List<Schedule.Actor> shown(List<Actor> actors) {
    return actors.stream().map(ScheduleAdapter::shown).toList();
  }

  private static Schedule.Actor shown(Actor actor) {
    return new Schedule.Actor(actor.name(), actor.nextStep());
  }

  @Override
  public int choose(List<Actor> ready) {
    return schedule.choose(shown(ready));
  }

  @Override
  public boolean choosesTime() {
    return schedule.choosesTime();
  }

  /** An adapter for a schedule that observes turns. */
  private static final class ObservingAdapter extends ScheduleAdapter implements TurnListener {

    ObservingAdapter(Schedule schedule) {
      super(schedule);
    }

    @Override
    public void begins(long number, Actor actor, List<Actor> ready) {
      schedule.turnBegins(number, shown(actor), shown(ready));
    }

    @Override
    public void ended(Turn turn) {
      schedule.turnEnded(
          new Schedule.Turn(
              turn.number(),
              turn.actor(),
              turn.step(),
              turn.cause(),
              turn.woken(),
              turn.reached()));
    }
  }
}
