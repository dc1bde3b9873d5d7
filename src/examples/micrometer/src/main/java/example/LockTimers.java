package example;

import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;

/**
 * Timers of waits for locks and of held locks, for the builder of a user agent. They have no tag
 * for the name of the lock: scripts choose names, and each value of a tag is a meter that stays.
 */
public final class LockTimers implements LockListener {

  private final Timer waited;
  private final Timer held;

  /**
   * Registers the timers.
   *
   * @param tags as those of {@link WeblocksMetrics}
   */
  public LockTimers(MeterRegistry registry, Iterable<Tag> tags) {
    waited =
        Timer.builder("weblocks.lock.wait")
            .description("time from the request to the grant")
            .tags(tags)
            .register(registry);
    held =
        Timer.builder("weblocks.lock.hold")
            .description("time from the grant to the release or steal")
            .tags(tags)
            .register(registry);
  }

  @Override
  public void granted(LockEvent event) {
    waited.record(event.age());
  }

  @Override
  public void released(LockEvent event) {
    held.record(event.age());
  }

  @Override
  public void stolen(LockEvent event) {
    held.record(event.age());
  }
}
