package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.TurnGuard;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.model.Variant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lock managers outside of the user agent, such as those of a lock cluster. Thread-safe. */
public interface RemoteLocks {

  /**
   * Begins to serve a user agent. Called once for each user agent, at its first use of locks;
   * returns at once.
   *
   * @return the lock service of the user agent, whose methods return at once
   */
  LockService serve(Connection connection);

  /**
   * Returns the prefix of the names of the actors of the next user agent; empty for none. A
   * simulation of several user agents in one driver has different ones.
   */
  default String nextActorPrefix() {
    return "";
  }

  /**
   * Returns whether the loss of a session ends the agents that have a lock of it, instead of
   * rejecting a promise. Constant.
   */
  default boolean endsHolders() {
    return false;
  }

  /** A user agent, as its remote lock managers see it. Thread-safe. */
  interface Connection {

    /** Returns the clock of the driver of the user agent. */
    Clock clock();

    /** Returns the variants of the user agent. */
    Set<Variant> variants();

    /** Returns the listener for transitions of requests and locks; null for none. */
    @Nullable LockWatcher watcher();

    /**
     * Queues steps, such as the delivery of an effect to its client. They run in order, one at a
     * time, outside of event loops, after {@link #runSteps}.
     *
     * @param label for traces and schedules
     * @param steps must not throw, except an error because memory is exhausted
     */
    void queueSteps(String label, Runnable steps);

    /**
     * Makes the driver run the queued steps, possibly on this thread before this method returns.
     * The caller holds no monitor that the steps need.
     */
    void runSteps();

    /**
     * Reports to the trace that the current queued step delivers an effect; a no-op without a
     * trace. Tasks that the delivery queues are caused by it. Called in steps of {@link
     * #queueSteps} only.
     *
     * @param request the request of the effect; null for a query, and if the request was aborted
     * @param requester the client
     * @param logIndex the index of the log entry that caused the effect; negative if none did
     */
    void delivers(
        LockEffect effect, @Nullable RequestLock request, LockRequester requester, long logIndex);

    /** Counts commands in flight as activity of the user agent, until {@link #endActivity}. */
    void beginActivity();

    /**
     * Ends what {@link #beginActivity} began. Steps that the answers cause were queued before;
     * requests that wait for a lock do not count.
     */
    void endActivity();

    /**
     * Attaches an actor to the driver of the user agent, for simulations.
     *
     * @param counts whether its work counts as activity of the user agent
     */
    Driver.Lane attach(Actor actor, boolean counts);

    /** Records that the current turn reaches state that turns share, for the schedule. */
    void reaches(String way);

    /** Sets the guard of the turns of all agents. */
    void guardTurns(TurnGuard guard);

    /** Runs an action when the user agent is closed; it must not throw, and may run twice. */
    void onClosed(Runnable action);
  }
}
