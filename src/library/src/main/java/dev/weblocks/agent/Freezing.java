package dev.weblocks.agent;

import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.TraceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The freezing and resuming of an agent, together with all agents that end with it. A frozen agent
 * runs no task and no timer. Its tasks wait in order; timers that come due meanwhile fire when the
 * agent resumes, each once, unless their time has stood. A frozen agent can be ended like any
 * other.
 *
 * @see <a href="https://wicg.github.io/page-lifecycle/">Page Lifecycle</a>
 */
public final class Freezing {

  private record Participant(Realm realm, Freezable freezable) {}

  private final Agent agent;

  /** The completion of the last request, after which the next request runs. Guarded by this. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** The participants. Guarded by this list; changed on the loop, emptied when the agent ends. */
  private final List<Participant> participants = new ArrayList<>();

  private volatile boolean frozen;

  private final Set<Runnable> watchers = new CopyOnWriteArraySet<>();

  /** The freezing of the agent that this agent ends with; null for none. */
  private volatile @Nullable Freezing leader;

  Freezing(Agent agent) {
    this.agent = agent;
  }

  /**
   * Adds a participant, which takes part until its realm is discarded. Called on the event loop.
   */
  public void add(Realm realm, Freezable freezable) {
    synchronized (participants) {
      participants.removeIf(each -> each.realm.isDiscarded());
      participants.add(new Participant(realm, freezable));
    }
  }

  /** Returns whether the agent is frozen now. Callable on any thread. */
  public boolean isFrozen() {
    return frozen;
  }

  /**
   * Freezes the agent and those that end with it, after the tasks that are queued already; no-op if
   * the agent is frozen by then. Callable on any thread.
   *
   * @return a stage that completes with true if the agent is frozen, with false if it refuses;
   *     exceptionally with a {@link CancellationException} if the agent ends first
   */
  public CompletionStage<Boolean> freeze(FrozenLocks policy) {
    return next(() -> frozen ? CompletableFuture.completedFuture(true) : freezeAll(policy))
        .minimalCompletionStage();
  }

  /**
   * Resumes the agent and those that end with it, after earlier requests; no-op if the agent is not
   * frozen by then. Callable on any thread.
   *
   * @return a stage that completes when all have resumed; exceptionally with a {@link
   *     CancellationException} if the agent ends first
   */
  public CompletionStage<Void> resume() {
    return resume(/* timersStood= */ false);
  }

  /** Does what {@link #resume()} does, but the time since the freeze does not count for timers. */
  public CompletionStage<Void> resumeWithTimersStood() {
    return resume(/* timersStood= */ true);
  }

  private CompletionStage<Void> resume(boolean timersStood) {
    return next(
            () -> frozen ? resumeAll(timersStood) : CompletableFuture.<Void>completedFuture(null))
        .minimalCompletionStage();
  }

  @FunctionalInterface
  private interface Steps<T> {
    CompletableFuture<T> start();
  }

  private <T> CompletableFuture<T> next(Steps<T> steps) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    CompletableFuture<Void> before;
    synchronized (this) {
      before = last;
      last = over;
    }
    before.thenRun(() ->
        steps
            .start()
            .whenComplete((value, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (agent.isEnding()) {
                result.completeExceptionally(
                    new CancellationException("agent " + agent.name() + " has ended"));
              } else {
                result.complete(value);
              }
              over.complete(null); // last: dependents of the result run before the next request
            }));
    return result;
  }

  /**
   * Returns whether neither the agent nor any agent that ends with it {@link
   * Freezable#isInvolvedWithOthers is involved with others}. Callable on any thread.
   */
  public CompletionStage<Boolean> mayFreeze() {
    return everywhere(Freezing::isUninvolved);
  }

  void follow(Freezing other) {
    leader = other;
  }

  /**
   * Adds steps to run each time this agent, or one that ends with it, {@linkplain #becomesInvolved
   * becomes involved with others}. They run on the thread of that agent. Callable on any thread.
   */
  public void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  /** Removes steps that {@link #watch} has added. Callable on any thread. */
  public void unwatch(Runnable watcher) {
    watchers.remove(watcher);
  }

  /**
   * Runs the steps of watchers. A participant calls this when its {@link
   * Freezable#isInvolvedWithOthers} becomes true. Called on the event loop.
   */
  public void becomesInvolved() {
    for (Freezing at = this; at != null; at = at.leader) {
      at.watchers.forEach(Runnable::run);
    }
  }

  private CompletableFuture<Boolean> freezeAll(FrozenLocks policy) {
    CompletableFuture<Boolean> mayFreeze =
        policy == FrozenLocks.REFUSE
            ? everywhere(Freezing::isUninvolved) // so that a page that refuses gets no event
            : CompletableFuture.completedFuture(true);
    return mayFreeze
        .thenCompose(may ->
            may
                ? everywhere(freezing -> freezing.freezeHere(policy))
                : CompletableFuture.completedFuture(false))
        .thenCompose(done ->
            done
                ? CompletableFuture.completedFuture(true)
                : resumeAll(false).thenApply(resumed -> false));
  }

  /**
   * Runs steps for this agent and then, if their result is true, for all agents that end with it.
   * For an agent that has ended, the result counts as true.
   */
  private CompletableFuture<Boolean> everywhere(
      Function<Freezing, CompletableFuture<Boolean>> steps) {
    return steps
        .apply(this)
        .thenCompose(here -> {
          if (!here) {
            return CompletableFuture.completedFuture(false);
          }
          CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
          for (Agent follower : agent.followers()) {
            CompletableFuture<Boolean> there = follower.freezing().everywhere(steps);
            all = all.thenCombine(there, Boolean::logicalAnd);
          }
          return all;
        });
  }

  private CompletableFuture<Boolean> isUninvolved() {
    return inTask("may freeze?", () -> !isInvolved());
  }

  private CompletableFuture<Boolean> freezeHere(FrozenLocks policy) {
    return inTask("freeze", () -> changeToFrozen(policy));
  }

  private CompletableFuture<Boolean> inTask(String label, BooleanSupplier steps) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, label, completing(done, steps));
    return orEnded(done);
  }

  private static Runnable completing(CompletableFuture<Boolean> done, BooleanSupplier steps) {
    return () -> {
      try {
        done.complete(steps.getAsBoolean());
      } catch (RuntimeException | Error defect) {
        done.completeExceptionally(defect);
        throw defect;
      }
    };
  }

  /** Returns {@code done}, or true if the agent ends first: an ended agent blocks no other. */
  private CompletableFuture<Boolean> orEnded(CompletableFuture<Boolean> done) {
    CompletableFuture<?> ended = agent.ended().toCompletableFuture();
    return CompletableFuture.anyOf(done, ended).thenApply(first -> !done.isDone() || done.join());
  }

  private boolean isInvolved() {
    return participants().stream().anyMatch(Freezable::isInvolvedWithOthers);
  }

  /** Freezes the agent; returns false if it refuses. Called in a task. */
  private boolean changeToFrozen(FrozenLocks policy) {
    if (policy == FrozenLocks.REFUSE && isInvolved()) {
      return false;
    }
    participants().forEach(Freezable::hide);
    participants().forEach(Freezable::beforeFreeze);
    // the page may have requested something only now
    if (policy == FrozenLocks.REFUSE && isInvolved()) {
      participants().forEach(Freezable::afterResume);
      participants().forEach(Freezable::show);
      return false;
    }
    participants().forEach(each -> each.freeze(policy));
    agent.eventLoop().freeze();
    frozen = true;
    trace("freezes");
    return true;
  }

  private CompletableFuture<Void> resumeAll(boolean timersStood) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    agent
        .eventLoop()
        .runBeforeOthers("resume", completing(done, () -> changeToUnfrozen(timersStood)));
    return orEnded(done)
        .thenCompose(resumed ->
            CompletableFuture.allOf(
                agent.followers().stream()
                    .map(follower -> follower.freezing().resumeAll(timersStood))
                    .toArray(CompletableFuture<?>[]::new)));
  }

  /** Resumes the agent. Called in a task, before all others. */
  private boolean changeToUnfrozen(boolean timersStood) {
    if (frozen) {
      trace("resumes");
      if (timersStood) {
        agent.eventLoop().postponeTimers();
      }
      participants().forEach(Freezable::resume);
      participants().forEach(Freezable::afterResume);
      participants().forEach(Freezable::show);
      frozen = false;
      agent.eventLoop().thaw();
    }
    return true;
  }

  private List<Freezable> participants() {
    List<Freezable> all = new ArrayList<>();
    synchronized (participants) {
      participants.removeIf(each -> each.realm.isDiscarded());
      participants.forEach(each -> all.add(each.freezable));
    }
    return all;
  }

  private void trace(String what) {
    Trace trace = agent.userAgent().trace();
    if (trace != null) {
      trace.report(TraceKind.AGENT, agent.name(), what);
    }
  }

  void forgetAll() {
    leader = null;
    watchers.clear();
    synchronized (participants) {
      participants.clear();
    }
  }
}
