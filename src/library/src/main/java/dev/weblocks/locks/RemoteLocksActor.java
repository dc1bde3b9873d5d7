package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.TurnGuard;
import dev.weblocks.agent.TurnLog;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.locks.LockTraceInfo.Subject;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.Variant;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The side of a user agent that has remote lock managers: runs what they answer, step by step. A
 * supplement of the user agent.
 */
final class RemoteLocksActor implements Actor, RemoteLocks.Connection {

  private static final String NAME = "remote locks";

  private record Step(String label, Runnable steps) {}

  private final UserAgent userAgent;
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final @Nullable Trace trace;
  private final @Nullable TurnLog turns;
  private final Driver.Lane lane;
  private final LockService service;
  private final LockWatchdog.@Nullable Watch watch;

  private RemoteLocksActor(UserAgent userAgent, RemoteLocks remote) {
    this.userAgent = userAgent;
    this.trace = userAgent.trace();
    this.turns = userAgent.driver().turnLog();
    this.lane = userAgent.attach(this, Driver.Kind.PARALLEL_QUEUE);
    this.service = remote.serve(this);
    this.watch = LockWatchdog.of(userAgent, () -> service.counts().pending(), service::diagnose);
    lane.wake(); // for steps that came before the watch was there
  }

  static RemoteLocksActor of(UserAgent userAgent, RemoteLocks remote) {
    return userAgent
        .supplements()
        .get(RemoteLocksActor.class, () -> new RemoteLocksActor(userAgent, remote));
  }

  LockService service() {
    return service;
  }

  @Override
  public Clock clock() {
    return userAgent.driver().clock();
  }

  @Override
  public Set<Variant> variants() {
    return LockSettings.of(userAgent).variants();
  }

  @Override
  public @Nullable LockWatcher watcher() {
    return LockSettings.of(userAgent).watcher();
  }

  @Override
  public void queueSteps(String label, Runnable toRun) {
    steps.add(new Step(label, toRun));
  }

  @Override
  public void runSteps() {
    if (!steps.isEmpty()) {
      lane.wake();
    }
  }

  @Override
  public void delivers(
      LockEffect effect, @Nullable RequestLock request, LockRequester requester, long logIndex) {
    Trace active = trace;
    if (active == null) {
      return;
    }
    LockTraceInfo info =
        new LockTraceInfo(
            effect.step(),
            LockTracing.action(effect),
            effect instanceof SnapshotTaken ? 0 : effect.id().sequence(),
            effect.client(),
            requester,
            request == null ? null : Subject.of(request.manager(), request.options(), false),
            logIndex < 0 ? null : logIndex);
    active.enter( // until the step is over
        info.report(
            active, TraceKind.LOCK_EFFECT, NAME, LockTracing.text(effect), active.current()));
  }

  @Override
  public void beginActivity() {
    userAgent.activity().begin();
  }

  @Override
  public void endActivity() {
    userAgent.activity().end();
  }

  @Override
  public Driver.Lane attach(Actor actor, boolean counts) {
    return counts
        ? userAgent.attach(actor, Driver.Kind.PARALLEL_QUEUE)
        : userAgent.attachOnlooker(actor, Driver.Kind.PARALLEL_QUEUE);
  }

  @Override
  public void reaches(String way) {
    if (turns != null) {
      turns.reaches(way);
    }
  }

  @Override
  public void guardTurns(TurnGuard guard) {
    userAgent.guardTurns(guard);
  }

  @Override
  public void onClosed(Runnable action) {
    userAgent.onClosed(action);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String nextStep() {
    Step next = steps.peek();
    return next == null ? "" : next.label();
  }

  @Override
  public boolean runTurn() {
    Step next = steps.poll();
    if (next == null) {
      return false;
    }
    if (turns != null) {
      turns.reaches("driver: remote locks");
    }
    try {
      if (trace == null) {
        next.steps().run();
      } else {
        runTraced(next, trace);
      }
      LockWatchdog.Watch watching = watch;
      if (watching != null) {
        watching.stepTaken();
      }
    } catch (RuntimeException | Error failure) {
      userAgent.endAfter("lock step", failure);
    }
    return true;
  }

  private static void runTraced(Step step, Trace active) {
    long id = active.report(TraceKind.LOCK_STEP, NAME, step.label(), 0);
    long before = active.enter(id);
    try {
      step.steps().run();
    } finally {
      active.leave(before);
      active.ended(id);
    }
  }

  @Override
  public boolean hasWork() {
    return !steps.isEmpty();
  }
}
