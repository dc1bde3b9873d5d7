package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockTaskQueue;
import dev.weblocks.lockmanager.message.LockState;
import java.util.List;

/** Tells the owner of a user agent who holds and who waits for locks. */
public final class LockDiagnosis {

  /**
   * What to note at each request, a supplement of the user agent.
   *
   * @param positions whether the place of each call of {@code request()}, which costs a walk
   *     through the stack
   */
  public record Settings(boolean positions) {
    static final Settings DEFAULT = new Settings(false);
  }

  private LockDiagnosis() {}

  /** The locks and requests of a user agent at one moment. Any thread; no page code runs. */
  public static List<LockState> of(UserAgent userAgent) {
    LockTaskQueue queue = LockTaskQueueActor.find(userAgent);
    return queue == null ? List.of() : queue.diagnose();
  }

  /** What was done so far and is in hand. Any thread; no page code runs. */
  public static LockCounts counts(UserAgent userAgent) {
    LockTaskQueue queue = LockTaskQueueActor.find(userAgent);
    return queue == null ? new LockCounts(0, 0, 0, 0, 0, 0, 0, 0) : queue.counts();
  }
}
