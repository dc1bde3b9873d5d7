package dev.weblocks.locks;

import static java.lang.System.Logger.Level.ERROR;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.TurnLog;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.LockTaskQueue;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The lock task queue of a user agent, run by its driver: a supplement of the user agent.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-task-queue">Web Locks</a>
 */
final class LockTaskQueueActor implements Actor {

  private static final String NAME = "lock task queue";

  private final LockTaskQueue queue;
  private final Driver.Lane lane;
  private final @Nullable TurnLog turns;

  /** The numbers of the turns that enqueued the steps, in queue order; empty without a turn log. */
  private final Queue<Long> causes = new ArrayDeque<>();

  private final LockWatchdog.@Nullable Watch watch;

  private LockTaskQueueActor(UserAgent userAgent) {
    TurnLog log = userAgent.driver().turnLog();
    LockSettings settings = LockSettings.of(userAgent);
    Trace trace = userAgent.trace();
    this.turns = log;
    this.queue =
        new LockTaskQueue(
            log == null ? this::wake : () -> enqueued(log),
            trace == null ? null : new LockTracing(trace, NAME),
            userAgent.driver().clock()::nanoTime,
            settings.watcher(),
            settings.variants());
    this.watch = LockWatchdog.of(userAgent, queue);
    this.lane = userAgent.attach(this, Driver.Kind.PARALLEL_QUEUE); // last: it may run at once
  }

  /**
   * Wakes the driver, which may run steps of any clients here. Their errors are not failures of the
   * client that enqueued this step, so they are logged.
   *
   * @throws Error if the step may not run
   */
  private void wake() {
    try {
      lane.wake();
    } catch (Error failure) {
      if (!queue.isEmpty()) {
        throw failure;
      }
      logFailed(failure);
    }
  }

  private static void logFailed(Error failure) {
    try {
      System.getLogger("dev.weblocks")
          .log(ERROR, "a lock step has run, but reported an error", failure);
    } catch (Error exhausted) {
      // there is no memory to report it
    }
  }

  /**
   * Records the current turn as the cause of a step. One thread at a time, as for {@link TurnLog}.
   */
  private void enqueued(TurnLog log) {
    causes.add(log.current());
    wake();
  }

  /** Returns the actor of a user agent; created at the first call. */
  static LockTaskQueueActor of(UserAgent userAgent) {
    return userAgent
        .supplements()
        .get(LockTaskQueueActor.class, () -> new LockTaskQueueActor(userAgent));
  }

  /** Returns the actor of a user agent; null before its first use. Callable on any thread. */
  static @Nullable LockTaskQueueActor find(UserAgent userAgent) {
    return userAgent.supplements().find(LockTaskQueueActor.class);
  }

  LockService service() {
    return queue;
  }

  /**
   * Enqueues a step, and returns when that step and all steps before it have run, or the user agent
   * is closed. For the variant callback-inside-request. On an event loop.
   */
  static void runNow(UserAgent userAgent, LockCommand command) {
    LockTaskQueueActor actor = of(userAgent);
    LockTaskQueue queue = actor.queue;
    queue.enqueueAwaited(command); // other drivers run it here, or another thread will run it
    boolean byHand = userAgent.driver().isDeterministic();
    while (queue.isAwaited(command) && !userAgent.isClosed()) {
      if (byHand) {
        actor.runStepInside();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Runs a step as a part of the current turn, which belongs to another actor. */
  private void runStepInside() {
    if (turns != null) {
      causes.poll(); // the current turn runs the step, so its recorded cause is dropped
      turns.reaches("driver: lock step");
    }
    try {
      runStep();
    } finally {
      lane.workedOff();
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String nextStep() {
    LockCommand next = queue.next();
    return switch (next) {
      case null -> "";
      case RegisterClient register -> "";
      case RequestLock request -> "request '" + request.options().name() + "'";
      case ReleaseLock release -> "release";
      case AbortRequest abort -> "abort";
      case EndClient end -> "end of a client";
      case TakeSnapshot query -> "query";
      case BucketCommand bucket -> throw new IllegalStateException("not a step: " + bucket);
    };
  }

  @Override
  public boolean runTurn() {
    if (turns != null) {
      Long cause = causes.poll();
      turns.takes(cause == null ? 0 : cause);
    }
    return runStep();
  }

  private boolean runStep() {
    LockWatchdog.Watch watching = watch;
    if (watching == null) {
      return queue.runStep();
    }
    try {
      return queue.runStep();
    } finally {
      watching.stepTaken();
    }
  }

  @Override
  public boolean hasWork() {
    return !queue.isEmpty();
  }
}
