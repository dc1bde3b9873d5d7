package dev.weblocks.explore.schedule;

import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The runner of schedules of one scenario. Thread-safe; several schedules may run at once. */
final class ScheduleRunner {

  private final Scenario scenario;
  private final Supplier<Footprints> footprints;
  private final boolean earlyTimers;
  private final int maxSteps;
  private final BooleanSupplier stop;

  /**
   * Creates a runner.
   *
   * @param stop returns whether to stop; called between steps, on the thread of each run
   */
  ScheduleRunner(
      Scenario scenario,
      Supplier<Footprints> footprints,
      boolean earlyTimers,
      int maxSteps,
      BooleanSupplier stop) {
    this.scenario = scenario;
    this.footprints = footprints;
    this.earlyTimers = earlyTimers;
    this.maxSteps = maxSteps;
    this.stop = stop;
  }

  Execution run(Chooser chooser) {
    return run(chooser, null, () -> false, null);
  }

  Execution run(Chooser chooser, TraceListener trace) {
    return run(chooser, null, () -> false, trace);
  }

  /**
   * Runs one schedule up to its end or the first finding.
   *
   * @param coverage receives the states of the run
   * @param breakOff returns whether to abort this run; called between steps
   */
  Execution run(Chooser chooser, Coverage coverage, BooleanSupplier breakOff) {
    return run(chooser, coverage, breakOff, null);
  }

  private Execution run(
      Chooser chooser,
      @Nullable Coverage coverage,
      BooleanSupplier breakOff,
      @Nullable TraceListener trace) {
    Recorder recorder =
        new Recorder(chooser, earlyTimers, scenario::prepares, footprints.get(), coverage);
    UntilOver traced = trace == null ? null : new UntilOver(trace);
    try (Scenario.Play play = scenario.begin(recorder, traced)) {
      try {
        recorder.look(play::state);
        return run(chooser, breakOff, recorder, play);
      } finally {
        recorder.stop();
        if (traced != null) {
          traced.over = true;
        }
      }
    }
  }

  /** Passes on the events of a run up to its last step, without those of the agents' end. */
  private static final class UntilOver implements TraceListener {
    private final TraceListener listener;
    private volatile boolean over;

    UntilOver(TraceListener listener) {
      this.listener = listener;
    }

    @Override
    public void on(TraceEvent event) {
      if (!over) {
        listener.on(event);
      }
    }

    @Override
    public void ended(long id, Duration time) {
      if (!over) {
        listener.ended(id, time);
      }
    }
  }

  private Execution run(
      Chooser chooser, BooleanSupplier breakOff, Recorder recorder, Scenario.Play play) {
    Finding finding = null;
    Execution.End end = null;
    int prepared = 0;
    while (end == null) {
      if (stop.getAsBoolean() || breakOff.getAsBoolean()) {
        end = Execution.End.STOPPED;
      } else if (Math.max(prepared, recorder.stepCount()) >= maxSteps) {
        finding =
            new Finding(
                Finding.Kind.LIVELOCK,
                "",
                "not idle after "
                    + maxSteps
                    + " steps; look for an endless loop, or raise the maximum");
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
