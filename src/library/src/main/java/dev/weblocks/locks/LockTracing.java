package dev.weblocks.locks;

import dev.weblocks.agent.Trace;
import dev.weblocks.lockmanager.LockTraceListener;
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
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.locks.LockTraceInfo.Subject;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.WaitMode;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A listener that adds the steps of the lock task queue to a trace: each step, then its changes and
 * its effects on clients, in the order of the draft.
 *
 * <p>The cause of a step is the event that was current when it was enqueued. The cause of a change
 * is its step. The cause of a grant is the change that made it possible: a release, an abort, or
 * the arrival of the request itself. The cause of a task is the effect that queued it.
 */
final class LockTracing implements LockTraceListener {

  /** The lock request queue that a change belongs to. */
  private record Place(ManagerId manager, String name) {}

  private final Trace trace;
  private final String actor;

  /**
   * The causes of steps that have not run: the ids of the events that were current when the steps
   * were enqueued.
   */
  private final Map<LockCommand, Long> causes =
      Collections.synchronizedMap(new IdentityHashMap<>());

  // used on the thread of a step, one step after the other

  /** The last transition of each request that is not over. */
  private final Map<RequestId, LockTransition> requests = new HashMap<>();

  private final Map<ClientId, LockRequester> requesters = new ConcurrentHashMap<>();

  /** The event ids of the effects of the current step. */
  private final Map<LockEffect, Long> effectIds = new IdentityHashMap<>();

  /** The event id of the last change in each queue that the current step has changed. */
  private final Map<Place, Long> changes = new HashMap<>();

  private long step;
  private long before;

  LockTracing(Trace trace, String actor) {
    this.trace = trace;
    this.actor = actor;
  }

  @Override
  public void onRegister(RegisterClient client) {
    requesters.put(client.client(), client.requester());
  }

  @Override
  public void onEnqueue(LockCommand command) {
    causes.put(command, trace.current());
  }

  @Override
  public void onStep(
      LockCommand command, List<LockTransition> transitions, List<LockEffect> effects) {
    effectIds.clear();
    changes.clear();
    before = trace.current();
    Long cause = causes.remove(command);
    step =
        trace.report(
            TraceKind.LOCK_STEP, actor, text(command), cause == null ? 0 : cause, about(command));
    trace.enter(step);
    reportTransitions(transitions, effects);
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
  private void reportTransitions(List<LockTransition> transitions, List<LockEffect> effects) {
    int next = 0;
    LockTransition arrived = null;
    for (LockTransition transition : transitions) {
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
      if (next < effects.size() && isOf(effects.get(next), transition)) {
        effect(effects.get(next++), transition);
      }
      if (isOver(transition.kind())) {
        requests.remove(transition.id());
      } else {
        requests.put(transition.id(), transition);
      }
    }
    if (arrived != null) {
      queued(arrived);
    }
    while (next < effects.size()) {
      effect(effects.get(next++), firstOf(transitions));
    }
  }

  private static boolean isOver(Kind kind) {
    return kind != Kind.REQUESTED && kind != Kind.GRANTED;
  }

  private static @Nullable LockTransition firstOf(List<LockTransition> transitions) {
    return transitions.isEmpty() ? null : transitions.getFirst();
  }

  private static boolean isOf(LockEffect effect, LockTransition transition) {
    Kind kind =
        switch (effect) {
          case Granted granted -> Kind.GRANTED;
          case Unavailable unavailable -> Kind.MISSED;
          case Stolen stolen -> Kind.STOLEN;
          case Released released -> null;
          case SnapshotTaken taken -> null;
          case SessionLost lost -> null;
          case Refused refused -> null;
          case BucketOpened opened -> null;
          case BucketDeleted deleted -> null;
        };
    return transition.kind() == kind && transition.id().equals(effect.id());
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
        trace.report(TraceKind.LOCK_CHANGE, actor, detail, step, of(spec, action, transition));
    changes.put(new Place(transition.manager(), transition.name()), id);
  }

  private void effect(LockEffect effect, @Nullable LockTransition transition) {
    long cause = step;
    if (effect instanceof Granted && transition != null) {
      cause = changes.getOrDefault(new Place(transition.manager(), transition.name()), step);
    }
    long id =
        trace.report(TraceKind.LOCK_EFFECT, actor, text(effect), cause, about(effect, transition));
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

  @Override
  public void onDeliver(LockEffect effect) {
    trace.enter(effectIds.getOrDefault(effect, step));
  }

  @Override
  public void onEnd() {
    trace.leave(before);
    trace.ended(step);
  }
}
