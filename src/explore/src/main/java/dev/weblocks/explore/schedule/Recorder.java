package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A schedule that calls a chooser, and records its choices and the steps. */
final class Recorder implements Schedule {

  private static final class Entry {
    private final String actor;
    private final String what;
    private final List<String> ready;
    private final List<String> events = new ArrayList<>();
    private Footprint footprint = Footprint.EVERYTHING;
    private int cause = -1;

    Entry(String actor, String what, List<String> ready) {
      this.actor = actor;
      this.what = what;
      this.ready = ready;
    }

    Step step() {
      return new Step(actor, what, ready, footprint, cause, List.copyOf(events));
    }
  }

  private final Chooser chooser;
  private final boolean earlyTimers;
  private final Predicate<Schedule.Actor> prepares;
  private final Footprints footprints;
  private final @Nullable Coverage coverage;
  private LongSupplier state = () -> 0;
  private boolean preparing = true;
  private boolean stopped;

  /** The number of the first turn after the preparation. */
  private long firstTurn;

  private final List<Entry> entries = new ArrayList<>();
  private final List<Choice> choices = new ArrayList<>();

  /**
   * @param earlyTimers whether timers may fire while other steps are possible
   * @param prepares see {@link Scenario#prepares}
   * @param coverage receives the states at choices; null for none
   */
  Recorder(
      Chooser chooser,
      boolean earlyTimers,
      Predicate<Schedule.Actor> prepares,
      Footprints footprints,
      @Nullable Coverage coverage) {
    this.chooser = chooser;
    this.earlyTimers = earlyTimers;
    this.prepares = prepares;
    this.footprints = footprints;
    this.coverage = coverage;
  }

  /**
   * Sets the function that returns {@link Scenario.Play#state()}. The states for the coverage
   * combine that hash with the next steps of the actors.
   */
  void look(LongSupplier newState) {
    state = newState;
  }

  /** Stops recording and choosing, because the run is being ended. */
  void stop() {
    stopped = true;
  }

  boolean isPreparing() {
    return preparing;
  }

  int stepCount() {
    return entries.size();
  }

  void happened(List<String> events) {
    if (!entries.isEmpty()) {
      entries.getLast().events.addAll(events);
    }
  }

  @Override
  public boolean choosesTime() {
    return earlyTimers;
  }

  @Override
  public boolean observesTurns() {
    return true;
  }

  @Override
  public int choose(List<Schedule.Actor> ready) {
    if (stopped) {
      return 0;
    }
    if (preparing) {
      for (int i = 0; i < ready.size(); i++) {
        if (prepares.test(ready.get(i))) {
          return i;
        }
      }
      preparing = false;
    }
    Point point =
        new Point(
            choices.size(),
            entries.size(),
            ready,
            entries.isEmpty() ? null : entries.getLast().actor);
    int index = chooser.choose(point);
    choices.add(new Choice(index, index == point.onward(), point.print()));
    if (coverage != null) {
      long seen = Coverage.START ^ state.getAsLong();
      for (Schedule.Actor actor : ready) {
        seen = Coverage.mix(Coverage.mix(seen, actor.name()), actor.nextStep());
      }
      coverage.add(seen);
    }
    return index;
  }

  @Override
  public void turnBegins(long number, Schedule.Actor actor, List<Schedule.Actor> ready) {
    if (stopped) {
      return;
    }
    if (preparing) {
      if (prepares.test(actor)) {
        return;
      }
      preparing = false;
    }
    if (entries.isEmpty()) {
      firstTurn = number;
    }
    List<String> names = ready.stream().map(Schedule.Actor::name).toList();
    entries.add(new Entry(actor.name(), actor.nextStep(), names));
    chooser.begins(entries.size() - 1, actor.name(), names);
  }

  @Override
  public void turnEnded(Schedule.Turn turn) {
    if (stopped) {
      return;
    }
    if (entries.isEmpty() || turn.number() < firstTurn) {
      return; // part of the preparation, in which no script of the scenario runs
    }
    int index = (int) (turn.number() - firstTurn);
    Entry entry = entries.get(index);
    Footprint footprint = footprints.of(turn);
    entry.footprint = footprint;
    entry.cause = turn.cause() < firstTurn ? -1 : (int) (turn.cause() - firstTurn);
    chooser.ended(index, footprint, entry.cause);
  }

  Execution execution(@Nullable Finding finding, Execution.End end, Map<String, String> labels) {
    return new Execution(
        entries.stream().map(Entry::step).toList(),
        List.copyOf(choices),
        finding,
        end,
        new HashMap<>(labels));
  }

  List<String> actors() {
    return entries.stream().map(entry -> entry.actor).distinct().toList();
  }

  List<String> tasks() {
    return entries.stream().map(entry -> entry.what).distinct().toList();
  }

  List<Choice> choices() {
    return List.copyOf(choices);
  }
}
