package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * A realm: a global object with its own intrinsics, and its environment settings object.
 *
 * <p>All methods but {@link #settings()} and {@link #agent()} belong to the event loop of the
 * agent.
 */
public final class Realm {

  private final Agent agent;
  private final EnvironmentSettings settings;
  private final Value global;
  private final Value enter;
  private final Supplements supplements = new Supplements();

  /** Guards the actions against the end of the agent, which comes on another thread. */
  private final List<Runnable> onDiscard = new ArrayList<>();

  private final Set<Agent> followers = new ConcurrentSkipListSet<>(Agent.BY_AGE);
  private volatile boolean discarded;

  Realm(Agent agent, EnvironmentSettings settings, Value global, Value enter) {
    this.agent = agent;
    this.settings = settings;
    this.global = global;
    this.enter = enter;
  }

  public Agent agent() {
    return agent;
  }

  public EnvironmentSettings settings() {
    return settings;
  }

  /** The global object itself. */
  public Value global() {
    return global;
  }

  public Supplements supplements() {
    return supplements;
  }

  /**
   * Evaluates a script at the top level of this realm.
   *
   * @return its completion value
   * @throws org.graalvm.polyglot.PolyglotException what the script throws
   */
  public Value evaluate(Source source) {
    return agent.evaluate(enter, source);
  }

  /**
   * Evaluates a source of ours that runs no code of a page and makes no promise job, so that no
   * checkpoint follows. On the event loop.
   */
  public Value read(Source source) {
    return agent.read(enter, source);
  }

  /** Whether a script can be parsed; nothing of it runs. */
  public boolean canParse(Source source) {
    return agent.syntaxErrorOf(source) == null;
  }

  /** Queues a task that is dropped if this realm is gone by then. Any thread. */
  public void queueTask(TaskSource source, String label, Runnable steps) {
    agent.eventLoop().queueTask(source, this, label, steps);
  }

  /**
   * Ends the realm while its agent lives on: its tasks are dropped, agents that end with it end,
   * and what waits for that runs now. Script of it that is on the stack goes on. On the event loop.
   */
  public void discard() {
    agent.eventLoop().assertOnLoop();
    agent.forget(this);
    end(action -> {
      try {
        action.run();
      } catch (RuntimeException | Error failure) {
        agent.reportDefect("end of a realm", failure);
      }
    });
  }

  /**
   * Ends the realm once; others count on each of the actions.
   *
   * @param runner runs an action and takes its failure
   */
  void end(Consumer<Runnable> runner) {
    List<Runnable> actions;
    synchronized (onDiscard) {
      if (discarded) {
        return;
      }
      discarded = true;
      actions = List.copyOf(onDiscard);
      onDiscard.clear();
    }
    actions.forEach(runner);
    followers.forEach(Agent::terminate);
    followers.clear();
  }

  /**
   * Runs something when the realm has ended, by itself or with its agent, whose script can run no
   * more then; at once if it has. Any thread.
   */
  public void onDiscard(Runnable action) {
    synchronized (onDiscard) {
      if (!discarded) {
        onDiscard.add(action);
        return;
      }
    }
    action.run();
  }

  void addFollower(Agent follower) {
    followers.add(follower);
    follower.onEnd(() -> followers.remove(follower));
    if (discarded) {
      follower.terminate();
    }
  }

  /** Whether the realm has ended. Any thread. */
  public boolean isDiscarded() {
    return discarded;
  }
}
