package dev.weblocks.locks.earlydraft;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.earlydraft.ParallelSteps;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.locks.LockDiagnosis;
import dev.weblocks.locks.LockSettings;
import dev.weblocks.locks.LockWatchdog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parallel steps of the early draft, run by the driver of a user agent: a supplement of the
 * user agent.
 */
final class ParallelStepsActor implements Actor, LockDiagnosis.Source {

  private static final String NAME = "lock steps in parallel";

  private final ParallelSteps steps;
  private final Driver.Lane lane;
  private final LockWatchdog.@Nullable Watch watch;

  private ParallelStepsActor(UserAgent userAgent) {
    Trace trace = userAgent.trace();
    this.lane = userAgent.attach(this, Driver.Kind.PARALLEL_QUEUE);
    this.steps =
        new ParallelSteps(
            lane::wake,
            trace == null ? null : new StepTracing(trace, NAME),
            userAgent.driver().clock()::nanoTime,
            LockSettings.of(userAgent).watcher());
    this.watch = LockWatchdog.of(userAgent, () -> counts().pending(), this::diagnose);
    userAgent.supplements().put(LockDiagnosis.Source.class, this);
  }

  /** Returns the parallel steps of a user agent; created at the first call. */
  static ParallelStepsActor of(UserAgent userAgent) {
    return userAgent
        .supplements()
        .get(ParallelStepsActor.class, () -> new ParallelStepsActor(userAgent));
  }

  ParallelSteps steps() {
    return steps;
  }

  /** Requests a lock as {@link ParallelSteps#requestLock} does, and notifies the watchdog. */
  @Nullable Unavailable requestLock(RequestLock command) {
    Unavailable missed = steps.requestLock(command);
    LockWatchdog.Watch watching = watch;
    if (watching != null && missed == null && steps.isEmpty()) {
      watching.stepTaken(); // otherwise it is notified after the next step
    }
    return missed;
  }

  @Override
  public List<LockState> diagnose() {
    return steps.diagnose();
  }

  @Override
  public LockCounts counts() {
    return steps.counts();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean runTurn() {
    LockWatchdog.Watch watching = watch;
    if (watching == null) {
      return steps.runStep();
    }
    try {
      return steps.runStep();
    } finally {
      watching.stepTaken();
    }
  }

  @Override
  public boolean hasWork() {
    return !steps.isEmpty();
  }
}
