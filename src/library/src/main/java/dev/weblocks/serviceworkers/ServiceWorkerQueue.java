package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.TraceKind;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The parallel queue of a user agent's service workers. Everything that the standard does "in
 * parallel" or in job queues is a step of this queue. Steps run one at a time, in order of arrival.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/infrastructure.html#parallel-queue">parallel
 *     queue</a>
 */
final class ServiceWorkerQueue implements Actor {

  private static final String NAME = "service worker queue";

  private record Step(String label, Runnable steps, long cause) {}

  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final @Nullable Trace trace;
  private final Driver.Lane lane;

  ServiceWorkerQueue(UserAgent userAgent) {
    this.trace = userAgent.trace();
    this.lane = userAgent.attach(this, Driver.Kind.PARALLEL_QUEUE);
  }

  /** Enqueues a step. Thread-safe; may run the step on the same thread before returning. */
  void enqueue(String label, Runnable step) {
    steps.add(new Step(label, step, trace == null ? 0 : trace.current()));
    lane.wake();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean runTurn() {
    Step next = steps.poll();
    if (next == null) {
      return false;
    }
    if (trace == null) {
      next.steps().run();
    } else {
      runTraced(next, trace);
    }
    return true;
  }

  private static void runTraced(Step step, Trace active) {
    long id = active.report(TraceKind.PARALLEL_STEP, NAME, step.label(), step.cause());
    try {
      active.under(id, step.steps());
    } finally {
      active.ended(id);
    }
  }

  @Override
  public boolean hasWork() {
    return !steps.isEmpty();
  }
}
