package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.SpecStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the current step, its time, and the number of transitions of each kind so far, in
 * all lock managers of one user agent.
 */
final class OutcomeRecorder {
  private final long[] counts = new long[Kind.values().length];
  private long nanoTime;
  private List<LockOutcome> outcomes = new ArrayList<>();

  /** Begins a step; {@code now} is its time in nanoseconds. */
  void begin(long now) {
    nanoTime = now;
    outcomes = new ArrayList<>();
  }

  long nanoTime() {
    return nanoTime;
  }

  List<LockOutcome> outcomes() {
    return outcomes;
  }

  /** Returns the live array of the counts; {@link StateCodec} reads and restores it. */
  long[] counts() {
    return counts;
  }

  long count(Kind kind) {
    return counts[kind.ordinal()];
  }

  /** Adds an effect without a transition. */
  void add(LockEffect effect) {
    outcomes.add(effect);
  }

  void requested(LockRequest request) {
    add(Kind.REQUESTED, request, nanoTime, false, null, null);
  }

  void missed(LockRequest request) {
    Unavailable effect = new Unavailable(request.id, SpecStep.REQUEST_MISSES);
    add(Kind.MISSED, request, nanoTime, false, null, effect);
  }

  void aborted(LockRequest request, boolean clientEnded) {
    add(Kind.ABORTED, request, request.requestedAt, clientEnded, null, null);
  }

  /** Adds a grant; {@code cause} is the request or lock whose transition made it possible. */
  void granted(LockRequest request, LockRequest cause) {
    Granted effect = new Granted(request.id, SpecStep.QUEUE_GRANTS);
    add(Kind.GRANTED, request, request.requestedAt, false, cause, effect);
  }

  void released(HeldLock lock, boolean clientEnded) {
    add(Kind.RELEASED, lock.request, lock.grantedAt, clientEnded, null, null);
  }

  void stolen(HeldLock lock, LockRequest thief) {
    Stolen effect = new Stolen(lock.request.id, SpecStep.REQUEST_REJECTS_STOLEN);
    add(Kind.STOLEN, lock.request, lock.grantedAt, false, thief, effect);
  }

  private void add(
      Kind kind,
      LockRequest request,
      long since,
      boolean clientEnded,
      @Nullable LockRequest cause,
      @Nullable LockEffect effect) {
    counts[kind.ordinal()]++;
    outcomes.add(
        new LockTransition(
            kind,
            request.id,
            request.manager.id,
            request.options,
            request.client.requester,
            nanoTime - since,
            clientEnded,
            cause == null ? null : cause.id,
            effect));
  }
}
