package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.TraceListener;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.fastpath.FastPaths;
import dev.weblocks.lockmanager.LockTaskQueue;
import dev.weblocks.lockmanager.LockTraceListener;
import dev.weblocks.lockmanager.LockWatcher;
import org.jspecify.annotations.Nullable;

/**
 * The lock task queue of a user agent, run by its driver: a supplement of the user agent.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-task-queue">lock task
 *     queue</a>
 */
final class LockTaskQueueActor implements Actor {

  private static final String NAME = "lock task queue";

  private final LockTaskQueue queue;
  private final Driver.Lane lane;

  private LockTaskQueueActor(UserAgent userAgent) {
    this.lane = userAgent.attach(this, Driver.Kind.PARALLEL_QUEUE);
    this.queue =
        new LockTaskQueue(
            lane::wake,
            tracing(userAgent.trace()),
            userAgent.driver().clock()::nanoTime,
            userAgent.supplements().find(LockWatcher.class),
            userAgent.supplements().get(FastPaths.class, () -> FastPaths.ALL_ON));
  }

  private static @Nullable LockTraceListener tracing(@Nullable TraceListener trace) {
    if (trace == null) {
      return null;
    }
    return (command, effects) -> {
      trace.on(TraceListener.Kind.LOCK_STEP, NAME, command.toString());
      effects.forEach(effect ->
          trace.on(TraceListener.Kind.LOCK_EFFECT, NAME, effect + " by " + effect.step()));
    };
  }

  /** The queue of a user agent, started with the first use. */
  static LockTaskQueue of(UserAgent userAgent) {
    return userAgent
        .supplements()
        .get(LockTaskQueueActor.class, () -> new LockTaskQueueActor(userAgent))
        .queue;
  }

  /** The queue of a user agent; null if nobody has used it. Any thread. */
  static @Nullable LockTaskQueue find(UserAgent userAgent) {
    LockTaskQueueActor actor = userAgent.supplements().find(LockTaskQueueActor.class);
    return actor == null ? null : actor.queue;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean runTurn() {
    return queue.runStep();
  }

  @Override
  public boolean hasWork() {
    return !queue.isEmpty();
  }

  @Override
  public long nextDeadline() {
    return NEVER;
  }
}
