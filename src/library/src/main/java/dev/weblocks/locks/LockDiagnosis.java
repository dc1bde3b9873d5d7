package dev.weblocks.locks;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.LockState;
import java.util.List;

/** Diagnoses of the held locks and waiting requests of a user agent. */
public final class LockDiagnosis {

  /**
   * The source of diagnoses of the locks of the early draft, which has no lock task queue. A
   * supplement of the user agent. Callable on any thread.
   */
  public interface Source {

    List<LockState> diagnose();

    LockCounts counts();
  }

  private LockDiagnosis() {}

  /**
   * Returns the locks and requests of a user agent at one moment. Callable on any thread; no page
   * code runs.
   */
  public static List<LockState> of(UserAgent userAgent) {
    LockService service = LockServices.find(userAgent);
    if (service != null) {
      return service.diagnose();
    }
    Source other = userAgent.supplements().find(Source.class);
    return other == null ? List.of() : other.diagnose();
  }

  /**
   * Returns the number of held locks, of waiting requests, and of each kind of transition so far.
   * Callable on any thread; no page code runs.
   */
  public static LockCounts counts(UserAgent userAgent) {
    LockService service = LockServices.find(userAgent);
    if (service != null) {
      return service.counts();
    }
    Source other = userAgent.supplements().find(Source.class);
    return other == null ? new LockCounts(0, 0, 0, 0, 0, 0, 0, 0) : other.counts();
  }
}
