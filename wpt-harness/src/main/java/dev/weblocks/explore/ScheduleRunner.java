package dev.weblocks.explore;

import dev.weblocks.embed.TraceListener;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs schedules of one scenario. One run after the other, on one thread. */
final class ScheduleRunner {

  private final Scenario scenario;
  private final Supplier<Footprints> footprints;
  private final boolean earlyTimers;
  private final int maxSteps;
  private final BooleanSupplier stop;
  private final @Nullable Coverage coverage;

  /**
   * Makes one.
   *
   * @param footprints makes what tells the footprints of one run
   * @param maxSteps how many steps a run may have
   * @param stop asked between steps whether there is to be an end
   * @param coverage gets what all runs see; null if nobody wants to know
   */
  ScheduleRunner(
      Scenario scenario,
      Supplier<Footprints> footprints,
      boolean earlyTimers,
      int maxSteps,
      BooleanSupplier stop,
      @Nullable Coverage coverage) {
    this.scenario = scenario;
    this.footprints = footprints;
    this.earlyTimers = earlyTimers;
    this.maxSteps = maxSteps;
    this.stop = stop;
    this.coverage = coverage;
  }

  Execution run(Chooser chooser) {
    return run(chooser, null);
  }

  /**
   * Runs one schedule up to its end or the first finding.
   *
   * @param trace sees all steps; null for nobody
   */
  Execution run(Chooser chooser, @Nullable TraceListener trace) {
    Recorder recorder =
        new Recorder(chooser, earlyTimers, scenario::prepares, footprints.get(), coverage);
    try (Scenario.Play play = scenario.begin(recorder, trace)) {
      try {
        recorder.look(play::state);
        return run(chooser, recorder, play);
      } finally {
        recorder.stop();
      }
    }
  }

  private Execution run(Chooser chooser, Recorder recorder, Scenario.Play play) {
    Finding finding = null;
    Execution.End end = null;
    int prepared = 0;
    while (end == null) {
      if (stop.getAsBoolean()) {
        end = Execution.End.STOPPED;
      } else if (Math.max(prepared, recorder.stepCount()) >= maxSteps) {
        finding =
            new Finding(
                Finding.Kind.LIVELOCK,
                "",
                "not at rest after "
                    + maxSteps
                    + " steps (--max-steps): it never will be, or it is long");
        end = Execution.End.TOO_LONG;
      } else if (!play.step()) {
        finding = play.findingAtRest();
        end = Execution.End.COMPLETE;
      } else {
        prepared += recorder.isPreparing() ? 1 : 0;
        recorder.happened(play.takeEvents());
        finding = play.finding();
        if (finding != null || play.isOver()) {
          end = Execution.End.COMPLETE;
        } else if (chooser.isDone()) {
          end = Execution.End.KNOWN;
        }
      }
    }
    Map<String, String> labels = new HashMap<>();
    recorder.actors().forEach(actor -> labels.put(actor, play.label(actor)));
    recorder.tasks().forEach(task -> labels.putIfAbsent(task, play.described(task)));
    return recorder.execution(finding, end, labels);
  }
}
