package dev.weblocks.locks;

import dev.weblocks.agent.TraceStep;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.NamedStep;
import dev.weblocks.lockmanager.message.WaitMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a step about locks, of a change that it made, or of an effect: of the lock task
 * queue, and of what the early draft has instead.
 *
 * @param spec where the text has it; null where it has not
 * @param action what happens
 * @param requestId of the request or lock; 0 where it is about none
 * @param client whose it is; null of a request that is over
 * @param asker as its requests say; null if they do not, or it made none
 * @param subject what it is about, as it was when something last became of it; null where it is
 *     about none, and of a request that is over
 */
public record LockTraceInfo(
    @Nullable NamedStep spec,
    Action action,
    long requestId,
    @Nullable ClientId client,
    @Nullable LockAsker asker,
    @Nullable Subject subject)
    implements TraceStep.About {

  /**
   * A request, the lock that it becomes, or what is to be released by force.
   *
   * @param names one, but in the early draft
   * @param mode null of a forced release, which asks for none
   * @param waitMode null as mode
   * @param clientEnded whether it was aborted or released because its client has ended
   */
  public record Subject(
      ManagerId manager,
      List<String> names,
      @Nullable LockMode mode,
      @Nullable WaitMode waitMode,
      boolean clientEnded) {

    /** That of a request with one name. */
    static @Nullable Subject of(@Nullable LockTransition request) {
      return request == null
          ? null
          : new Subject(
              request.manager(),
              List.of(request.name()),
              request.mode(),
              request.waitMode(),
              request.clientEnded());
    }
  }

  /** What happens. */
  public enum Action {
    ASKED,
    QUEUED,
    PROCEEDED,
    GRANTED,
    MISSED,
    STOLEN,
    GIVEN_BACK,
    RELEASED,
    SETTLED,
    WITHDRAWN,
    ABORTED,
    REJECTED,
    FORCED,
    FORCE_RELEASED,
    CLIENT_ENDED,
    QUERIED,
    ANSWERED
  }
}
