package dev.weblocks.locks.earlydraft;

import dev.weblocks.agent.Trace;
import dev.weblocks.lockmanager.earlydraft.Command;
import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Command.WaitingPromiseSettles;
import dev.weblocks.lockmanager.earlydraft.DraftStep;
import dev.weblocks.lockmanager.earlydraft.Effect;
import dev.weblocks.lockmanager.earlydraft.Effect.Aborted;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleaseDone;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleased;
import dev.weblocks.lockmanager.earlydraft.Effect.Granted;
import dev.weblocks.lockmanager.earlydraft.Effect.StateTaken;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.earlydraft.StepListener;
import dev.weblocks.lockmanager.earlydraft.Transition;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.locks.LockTraceInfo;
import dev.weblocks.locks.LockTraceInfo.Subject;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.WaitMode;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A listener that adds the lock steps of the early draft to a trace, in the form used for the
 * Working Draft: each command as a lock step, then its changes and its effects on clients. A
 * request and its lock are reported once, with all their names.
 *
 * <p>The cause of a command is the event that was current when the command was begun. The cause of
 * a {@link Proceed} is the command that made requests grantable. The cause of a grant is the last
 * event, on any name, that made it possible: a release (forced or not), abort or arrival.
 */
final class StepTracing implements StepListener {

  private final Trace trace;
  private final String actor;

  /** The ids of the events that caused the parallel steps that have not run. */
  private final Map<Command, Long> causes = Collections.synchronizedMap(new IdentityHashMap<>());

  // used on the thread of a command, one command after the other

  /** The last transition of each request that is not over. */
  private final Map<Long, Transition> requests = new HashMap<>();

  private final Map<ClientId, LockRequester> requesters = new HashMap<>();

  /**
   * The id of the last event of each request that arrived and of each request or lock that ended.
   * Cleared after a {@link Proceed}: only later events can make the remaining requests grantable.
   */
  private final Map<Long, Long> changes = new HashMap<>();

  StepTracing(Trace trace, String actor) {
    this.trace = trace;
    this.actor = actor;
  }

  @Override
  public void onBegin(Command command) {
    causes.put(command, trace.current());
  }

  @Override
  public Delivery onStep(Command command, List<Transition> transitions, List<Effect> effects) {
    Long begun = causes.remove(command);
    long cause = begun == null ? trace.current() : begun; // one that runs at once was never begun
    long step = about(command).report(trace, TraceKind.LOCK_STEP, actor, command.toString(), cause);
    TracedDelivery delivery = new TracedDelivery(command, step, effects);
    delivery.report(transitions);
    if (command instanceof Proceed) {
      changes.clear();
    }
    if (command instanceof EndClient end) {
      requesters.remove(end.client());
    }
    return delivery;
  }

  private LockTraceInfo about(Command command) {
    return switch (command) {
      case RequestLock request -> {
        requesters.putIfAbsent(request.client(), request.source().requester());
        yield new LockTraceInfo(
            DraftStep.REQUEST_MADE,
            LockAction.ASKED,
            request.requestId(),
            request.client(),
            request.source().requester(),
            new Subject(
                request.origin(),
                request.scope().names(),
                request.mode(),
                request.ifAvailable() ? WaitMode.IF_AVAILABLE : WaitMode.WAIT,
                request.source().position(),
                false));
      }
      case WaitingPromiseSettles settled ->
          of(DraftStep.WAITING_SETTLES, LockAction.GIVEN_BACK, settled.requestId());
      case Proceed proceed ->
          new LockTraceInfo(DraftStep.REQUEST_PROCEEDS, LockAction.PROCEEDED, 0, null, null, null);
      case AbortRequest abort ->
          of(DraftStep.ABORT_NOTICED, LockAction.WITHDRAWN, abort.requestId());
      case ForceRelease release -> {
        requesters.putIfAbsent(release.client(), release.source().requester());
        yield new LockTraceInfo(
            DraftStep.FORCE_BEGINS,
            LockAction.FORCED,
            0,
            release.client(),
            release.source().requester(),
            new Subject(
                release.origin(),
                release.scope().names(),
                null,
                null,
                release.source().position(),
                false));
      }
      case QueryState query -> of(DraftStep.QUERY_BEGINS, LockAction.QUERIED, query.client());
      case EndClient end -> of(DraftStep.CLIENT_ENDS, LockAction.CLIENT_ENDED, end.client());
      case GiveUp given -> {
        Transition request = requests.get(given.requestId());
        boolean isHeld = request != null && request.kind() == Kind.GRANTED;
        yield of(null, isHeld ? LockAction.GIVEN_BACK : LockAction.WITHDRAWN, given.requestId());
      }
    };
  }

  private static LockTraceInfo of(@Nullable DraftStep spec, LockAction action, Transition request) {
    return new LockTraceInfo(
        spec,
        action,
        request.requestId(),
        request.client(),
        request.source().requester(),
        new Subject(
            request.origin(),
            request.scope().names(),
            request.mode(),
            request.waitMode(),
            request.source().position(),
            request.clientEnded()));
  }

  private LockTraceInfo of(@Nullable DraftStep spec, LockAction action, long requestId) {
    Transition request = requests.get(requestId);
    return request == null
        ? new LockTraceInfo(spec, action, requestId, null, null, null)
        : of(spec, action, request);
  }

  private LockTraceInfo of(DraftStep spec, LockAction action, ClientId client) {
    return new LockTraceInfo(spec, action, 0, client, requesters.get(client), null);
  }

  /**
   * The tracer of a command's changes and effects; an effect's event is current in its delivery.
   */
  private final class TracedDelivery implements Delivery {
    private final Command command;
    private final long step;
    private final List<Effect> effects;
    private final Map<Effect, Long> effectIds = new IdentityHashMap<>();

    /** The current event of this thread before the command. */
    private final long before = trace.current();

    TracedDelivery(Command command, long step, List<Effect> effects) {
      this.command = command;
      this.step = step;
      this.effects = effects;
    }

    void report(List<Transition> transitions) {
      int next = 0;
      for (Transition transition : transitions) {
        switch (transition.kind()) {
          case REQUESTED -> {
            if (!isMissed()) {
              change("RequestQueued", LockAction.QUEUED, DraftStep.REQUEST_ENQUEUED, transition);
            }
          }
          case ABORTED ->
              change("RequestAborted", LockAction.ABORTED, whereRequestsLeave(), transition);
          case RELEASED ->
              change("LockReleased", LockAction.RELEASED, whereLocksLeave(), transition);
          case GRANTED, MISSED, STOLEN -> {} // reported by their effects
        }
        if (next < effects.size() && isOf(effects.get(next), transition)) {
          effect(effects.get(next++), transition);
        }
        if (transition.kind() == Kind.REQUESTED || transition.kind() == Kind.GRANTED) {
          requests.put(transition.requestId(), transition);
        } else {
          requests.remove(transition.requestId());
        }
      }
      while (next < effects.size()) {
        effect(effects.get(next++), null);
      }
    }

    private boolean isMissed() {
      return !effects.isEmpty() && effects.getFirst() instanceof Unavailable;
    }

    /**
     * Returns the draft step by which the command removes requests; null if none, as in freezing.
     */
    private @Nullable DraftStep whereRequestsLeave() {
      return switch (command) {
        case EndClient end -> DraftStep.END_REMOVES;
        case GiveUp given -> null;
        default -> DraftStep.ABORT_REMOVES;
      };
    }

    /**
     * Returns the draft step by which the command removes locks; null if none, as at client end.
     */
    private @Nullable DraftStep whereLocksLeave() {
      return command instanceof WaitingPromiseSettles ? DraftStep.WAITING_SETTLES : null;
    }

    private static boolean isOf(Effect effect, Transition transition) {
      return switch (effect) {
        case Granted granted ->
            transition.kind() == Kind.GRANTED && granted.requestId() == transition.requestId();
        case Unavailable unavailable ->
            transition.kind() == Kind.MISSED && unavailable.requestId() == transition.requestId();
        case Aborted aborted ->
            transition.kind() == Kind.ABORTED && aborted.requestId() == transition.requestId();
        case ForceReleased released ->
            transition.kind() == Kind.STOLEN && released.requestId() == transition.requestId();
        case ForceReleaseDone done -> false;
        case StateTaken taken -> false;
      };
    }

    private void change(
        String what, LockAction action, @Nullable DraftStep spec, Transition transition) {
      String detail =
          "%s[requestId=%s, client=%s]%s"
              .formatted(
                  what,
                  transition.requestId(),
                  transition.client(),
                  spec == null ? "" : " by " + spec);
      long id =
          of(spec, action, transition).report(trace, TraceKind.LOCK_CHANGE, actor, detail, step);
      changes.put(transition.requestId(), id);
    }

    private void effect(Effect effect, @Nullable Transition transition) {
      long cause = step;
      if (effect instanceof Granted && transition != null) {
        cause = changes.getOrDefault(transition.roomBy(), step);
      }
      String detail = effect + " by " + effect.step();
      long id =
          about(effect, transition).report(trace, TraceKind.LOCK_EFFECT, actor, detail, cause);
      effectIds.put(effect, id);
      if (effect instanceof ForceReleased released) {
        changes.put(released.requestId(), id);
      }
    }

    private LockTraceInfo about(Effect effect, @Nullable Transition transition) {
      LockAction action =
          switch (effect) {
            case Granted granted -> LockAction.GRANTED;
            case Unavailable unavailable -> LockAction.MISSED;
            case Aborted aborted -> LockAction.REJECTED;
            case ForceReleased released -> LockAction.FORCE_RELEASED;
            case ForceReleaseDone done -> LockAction.ANSWERED;
            case StateTaken taken -> LockAction.ANSWERED;
          };
      return transition == null
          ? of(effect.step(), action, effect.client())
          : of(effect.step(), action, transition);
    }

    @Override
    public void onProceed(Proceed begun) {
      causes.put(begun, step);
    }

    @Override
    public void onDeliver(Effect effect) {
      trace.enter(effectIds.getOrDefault(effect, step));
    }

    @Override
    public void onEnd() {
      trace.leave(before);
      trace.ended(step);
    }
  }
}
