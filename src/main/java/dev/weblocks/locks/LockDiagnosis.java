package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockService;
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

  /**
   * What knows of locks in place of the lock task queue, where a user agent has locks of another
   * kind: a supplement of the user agent. Any thread.
   */
  public interface Source {

    /** As {@link LockDiagnosis#of} tells it. */
    List<LockState> diagnose();

    /** As {@link LockDiagnosis#counts} tells it. */
    LockCounts counts();
  }

  private LockDiagnosis() {}

  /** The locks and requests of a user agent at one moment. Any thread; no page code runs. */
  public static List<LockState> of(UserAgent userAgent) {
    LockService service = LockTaskQueueActor.find(userAgent);
    if (service != null) {
      return service.diagnose();
    }
    Source other = userAgent.supplements().find(Source.class);
    return other == null ? List.of() : other.diagnose();
  }

  /** What was done so far and is in hand. Any thread; no page code runs. */
  public static LockCounts counts(UserAgent userAgent) {
    LockService service = LockTaskQueueActor.find(userAgent);
    if (service != null) {
      return service.counts();
    }
    Source other = userAgent.supplements().find(Source.class);
    return other == null ? new LockCounts(0, 0, 0, 0, 0, 0, 0, 0) : other.counts();
  }
}
