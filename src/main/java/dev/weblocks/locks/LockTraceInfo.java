package dev.weblocks.locks;

import dev.weblocks.agent.TraceStep;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.SpecStep;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a step of the lock task queue, of a change that it made, or of an effect.
 *
 * @param spec where the draft has it
 * @param action what happens
 * @param requestId of the request or lock; 0 where it is about none
 * @param client whose it is; null of a request that is over
 * @param asker as its requests say; null if they do not, or it made none
 * @param request what it is about, as it was when something last became of it; null where it is
 *     about none, and of a request that is over
 */
public record LockTraceInfo(
    SpecStep spec,
    Action action,
    long requestId,
    @Nullable ClientId client,
    @Nullable LockAsker asker,
    @Nullable LockTransition request)
    implements TraceStep.About {

  /** What happens. */
  public enum Action {
    ASKED,
    QUEUED,
    GRANTED,
    MISSED,
    STOLEN,
    GIVEN_BACK,
    RELEASED,
    SETTLED,
    WITHDRAWN,
    ABORTED,
    CLIENT_ENDED,
    QUERIED,
    ANSWERED
  }
}
