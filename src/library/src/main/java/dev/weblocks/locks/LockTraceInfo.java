package dev.weblocks.locks;

import dev.weblocks.agent.Trace;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.NamedStep;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.WaitMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trace data of a lock step, of a change that it made, or of an effect that it had; for the
 * Working Draft and the early draft.
 *
 * @param spec the step of the draft; null if the draft has none
 * @param action the kind of event
 * @param requestId the sequence number of the request or lock; 0 if there is none
 * @param client the client; null if there is none, or the request is over
 * @param requester the client as shown by diagnoses; null if it is not known
 * @param subject the request or lock after its last transition; null if there is none, or the
 *     request is over
 * @param logIndex the index of the log entry of remote lock managers that caused an effect; null if
 *     no entry did
 */
public record LockTraceInfo(
    @Nullable NamedStep spec,
    LockAction action,
    long requestId,
    @Nullable ClientId client,
    @Nullable LockRequester requester,
    @Nullable Subject subject,
    @Nullable Long logIndex) {

  /** Creates the data of a step of lock managers inside the user agent, which have no log. */
  public LockTraceInfo(
      @Nullable NamedStep spec,
      LockAction action,
      long requestId,
      @Nullable ClientId client,
      @Nullable LockRequester requester,
      @Nullable Subject subject) {
    this(spec, action, requestId, client, requester, subject, null);
  }

  /** Reports a step with this data to a trace; returns the id of the step. */
  public long report(Trace trace, TraceKind kind, String actor, String detail, long cause) {
    return trace.report(kind, actor, detail, cause, spec == null ? null : spec.place(), lock());
  }

  private TraceEvent.Lock lock() {
    List<String> names = subject == null ? List.of() : subject.names;
    return new TraceEvent.Lock(
        action,
        requestId,
        client == null ? null : client.value(),
        requester == null ? null : requester.agent(),
        requester == null ? null : requester.url(),
        requester == null ? null : requester.origin(),
        subject == null ? null : subject.manager.bucket(),
        subject == null ? null : subject.manager.value(),
        names.size() == 1 ? names.getFirst() : null,
        names,
        subject == null ? null : subject.mode,
        subject == null ? null : subject.waitMode,
        subject == null ? null : subject.position,
        subject != null && subject.clientEnded,
        logIndex);
  }

  /**
   * A request, the lock that it becomes, or a scope that is to be released by force.
   *
   * @param names one name, except in the early draft
   * @param mode null for a forced release
   * @param waitMode null for a forced release
   * @param position of the call in a script; null if it is not known
   * @param clientEnded whether the reason of an abort or release is the end of the client
   */
  public record Subject(
      ManagerId manager,
      List<String> names,
      @Nullable LockMode mode,
      @Nullable WaitMode waitMode,
      @Nullable String position,
      boolean clientEnded) {

    /** Returns the subject of a request with one name. */
    static Subject of(ManagerId manager, LockOptions options, boolean clientEnded) {
      return new Subject(
          manager,
          List.of(options.name()),
          options.mode(),
          options.waitMode(),
          options.position(),
          clientEnded);
    }
  }
}
