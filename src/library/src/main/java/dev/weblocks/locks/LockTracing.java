package dev.weblocks.locks;

import dev.weblocks.agent.Trace;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.locks.LockTraceInfo.Subject;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.WaitMode;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the lock task queue in a trace: each step, then its changes and its effects on
 * clients, in the order of the draft.
 *
 * <p>The cause of a step is the event that was current when it was enqueued. The cause of a change
 * is its step. The cause of a grant is the change that made it possible: a release, an abort, or
 * the arrival of the request itself. The cause of a task is the effect that queued it.
 */
final class LockTracing {

  private final Trace trace;
  private final String actor;

  // used on the thread of a step, one step after the other

  /** The last transition of each request that is not over. */
  private final Map<RequestId, LockTransition> requests = new HashMap<>();

  private final Map<ClientId, LockRequester> requesters = new ConcurrentHashMap<>();

  /** The event ids of the effects of the current step. */
  private final Map<LockEffect, Long> effectIds = new IdentityHashMap<>();

  /** The event ids of the changes of the current step, by request. */
  private final Map<@Nullable RequestId, Long> changes = new HashMap<>();

  private long step;
  private long before;

  LockTracing(Trace trace, String actor) {
    this.trace = trace;
    this.actor = actor;
  }

  /** Notes a client that was registered. Called on any thread. */
  void registered(RegisterClient client) {
    requesters.put(client.client(), client.requester());
  }

  /** Returns the id of the current event. Called on any thread. */
  long current() {
    return trace.current();
  }

  /** Reports a step and what it did, before its effects are delivered. */
  void begin(LockCommand command, long cause, List<LockOutcome> outcomes) {
    effectIds.clear();
    changes.clear();
    before = trace.current();
    step = about(command).report(trace, TraceKind.LOCK_STEP, actor, text(command), cause);
    trace.enter(step);
    report(outcomes);
    if (command instanceof EndClient end) {
      requesters.remove(end.client());
    }
  }

  private LockTraceInfo about(LockCommand command) {
    return switch (command) {
      case RegisterClient register -> throw new IllegalStateException("not a step: " + register);
      case RequestLock request ->
          new LockTraceInfo(
              SpecStep.REQUEST_ENQUEUED,
              LockAction.ASKED,
              request.id().sequence(),
              request.client(),
              requesters.get(request.client()),
              Subject.of(request.manager(), request.options(), false));
      case ReleaseLock release -> of(SpecStep.WAITING_SETTLES, LockAction.GIVEN_BACK, release.id());
      case AbortRequest abort -> of(SpecStep.ABORT_ENQUEUED, LockAction.WITHDRAWN, abort.id());
      case EndClient end -> of(SpecStep.CLIENT_ENDS, LockAction.CLIENT_ENDED, end.client());
      case TakeSnapshot query -> of(SpecStep.QUERY_ENQUEUED, LockAction.QUERIED, query.client());
      case BucketCommand bucket -> throw new IllegalStateException("not a step: " + bucket);
    };
  }

  private static LockTraceInfo of(SpecStep spec, LockAction action, LockTransition request) {
    return new LockTraceInfo(
        spec,
        action,
        request.id().sequence(),
        request.client(),
        request.requester(),
        subject(request));
  }

  private static Subject subject(LockTransition request) {
    return Subject.of(request.manager(), request.options(), request.clientEnded());
  }

  private LockTraceInfo of(SpecStep spec, LockAction action, RequestId id) {
    LockTransition request = requests.get(id);
    return request == null
        ? new LockTraceInfo(spec, action, id.sequence(), null, null, null)
        : of(spec, action, request);
  }

  private LockTraceInfo of(SpecStep spec, LockAction action, ClientId client) {
    return new LockTraceInfo(spec, action, 0, client, requesters.get(client), null);
  }

  /** Reports the effects on clients, and transitions without an effect as changes of locks. */
  private void report(List<LockOutcome> outcomes) {
    LockTransition arrived = null;
    for (LockOutcome outcome : outcomes) {
      switch (outcome) {
        case LockEffect effect -> effect(effect, null);
        case LockTransition transition -> {
          switch (transition.kind()) {
            case REQUESTED -> arrived = transition; // it enters its queue after others have left
            case RELEASED ->
                change("LockReleased", LockAction.RELEASED, SpecStep.RELEASE_REMOVES, transition);
            case ABORTED ->
                change("RequestAborted", LockAction.ABORTED, SpecStep.ABORT_REMOVES, transition);
            case MISSED -> arrived = null;
            case GRANTED -> {
              if (arrived != null) {
                queued(arrived);
                arrived = null;
              }
            }
            case STOLEN -> {}
          }
          LockEffect effect = transition.effect();
          if (effect != null) {
            effect(effect, transition);
          }
          requests.put(transition.id(), transition);
        }
      }
    }
    if (arrived != null) {
      queued(arrived);
    }
    for (LockOutcome outcome : outcomes) {
      if (outcome instanceof LockTransition over
          && over.kind() != Kind.REQUESTED
          && over.kind() != Kind.GRANTED) {
        requests.remove(over.id());
      }
    }
  }

  private void queued(LockTransition arrived) {
    boolean steals = arrived.waitMode() == WaitMode.STEAL;
    change(
        "RequestQueued",
        LockAction.QUEUED,
        steals ? SpecStep.REQUEST_PREPENDED : SpecStep.REQUEST_WAITS,
        arrived);
  }

  private void change(String what, LockAction action, SpecStep spec, LockTransition transition) {
    String detail =
        "%s[requestId=%s, client=%s] by %s"
            .formatted(what, transition.id().sequence(), transition.client(), spec);
    long id =
        of(spec, action, transition).report(trace, TraceKind.LOCK_CHANGE, actor, detail, step);
    changes.put(transition.id(), id);
  }

  private void effect(LockEffect effect, @Nullable LockTransition transition) {
    long cause = step;
    if (transition != null && transition.kind() == Kind.GRANTED) {
      cause = changes.getOrDefault(transition.cause(), step);
    }
    long id =
        about(effect, transition).report(trace, TraceKind.LOCK_EFFECT, actor, text(effect), cause);
    effectIds.put(effect, id);
  }

  private LockTraceInfo about(LockEffect effect, @Nullable LockTransition transition) {
    if (effect instanceof SnapshotTaken) {
      return of(effect.step(), LockAction.ANSWERED, effect.client());
    }
    LockTransition known =
        transition != null && transition.id().equals(effect.id())
            ? transition
            : requests.get(effect.id());
    return new LockTraceInfo(
        effect.step(),
        action(effect),
        effect.id().sequence(),
        effect.client(),
        requesters.get(effect.client()),
        known == null ? null : subject(known));
  }

  /** Returns the kind of event that an effect is in traces. */
  static LockAction action(LockEffect effect) {
    return switch (effect) {
      case Granted granted -> LockAction.GRANTED;
      case Unavailable unavailable -> LockAction.MISSED;
      case Stolen stolen -> LockAction.STOLEN;
      case Released released -> LockAction.SETTLED;
      case SnapshotTaken taken -> LockAction.ANSWERED;
      case SessionLost lost -> LockAction.STOLEN;
      case Refused refused -> LockAction.ABORTED;
      case BucketOpened opened -> LockAction.ANSWERED;
      case BucketDeleted deleted -> LockAction.ABORTED;
    };
  }

  /** Returns the text of a command in traces, without the data that only diagnoses need. */
  static String text(LockCommand command) {
    return switch (command) {
      case RegisterClient register -> "RegisterClient[client=" + register.client() + "]";
      case RequestLock request ->
          "RequestLock[requestId=%s, client=%s, manager=%s, name=%s, mode=%s, waitMode=%s%s]"
              .formatted(
                  request.id().sequence(),
                  request.client(),
                  request.manager(),
                  request.options().name(),
                  request.options().mode(),
                  request.options().waitMode(),
                  request.options().reentrant() ? ", reentrant" : "");
      case ReleaseLock release -> "ReleaseLock[requestId=" + release.id().sequence() + "]";
      case AbortRequest abort -> "AbortRequest[requestId=" + abort.id().sequence() + "]";
      case EndClient end -> "EndClient[client=" + end.client() + "]";
      case TakeSnapshot query ->
          "TakeSnapshot[queryId=%s, client=%s, manager=%s]"
              .formatted(query.id().sequence(), query.client(), query.manager());
      case BucketCommand bucket -> bucket.toString();
    };
  }

  /** Returns the text of an effect in traces. */
  static String text(LockEffect effect) {
    boolean answers = effect instanceof SnapshotTaken;
    return effect.getClass().getSimpleName()
        + (answers ? "[queryId=" : "[requestId=")
        + effect.id().sequence()
        + ", client="
        + effect.client()
        + (effect instanceof SnapshotTaken taken ? ", snapshot=" + taken.snapshot() : "")
        + ", step="
        + effect.step()
        + "] by "
        + effect.step();
  }

  /** Makes an effect of the current step the cause of what follows. */
  void delivers(LockEffect effect) {
    trace.enter(effectIds.getOrDefault(effect, step));
  }

  /** Ends the current step, whose effects are delivered. */
  void end() {
    trace.leave(before);
    trace.ended(step);
  }
}
