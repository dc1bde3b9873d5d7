package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A realm: a global object with its own intrinsics, and its environment settings object.
 *
 * <p>Methods are for the event loop of the agent, unless noted otherwise; {@link #settings()} and
 * {@link #agent()} are for any thread.
 */
public final class Realm {

  private final Agent agent;
  private volatile EnvironmentSettings settings;
  private final Value global;
  private final Value enter;
  private final Supplements supplements = new Supplements();

  /**
   * The actions to run at the end. Guarded by this list, as the agent may end on another thread.
   */
  private final List<Runnable> onDiscard = new ArrayList<>();

  private final Set<Agent> followers = new ConcurrentSkipListSet<>(Agent.BY_AGE);
  private volatile boolean discarded;

  /** Made with the realm, so that memory may be exhausted when it ends. */
  private final Runnable endFollowers = this::endFollowers;

  private final Consumer<Runnable> inDiscard = this::runInDiscard;

  Realm(Agent agent, EnvironmentSettings settings, Value global, Value enter) {
    this.agent = agent;
    this.settings = settings;
    this.global = global;
    this.enter = enter;
  }

  /** Returns the oldest realm of an agent; null if all have ended. Callable on any thread. */
  public static @Nullable Realm oldestOf(Agent agent) {
    return agent.realms().oldest();
  }

  public Agent agent() {
    return agent;
  }

  public EnvironmentSettings settings() {
    return settings;
  }

  /** Changes the creation URL to that of a further document of the same window. */
  public void setCreationUrl(String url) {
    settings = settings.withCreationUrl(url);
  }

  /** Returns the global object. */
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
   * Evaluates an internal source that runs no code of a page and creates no promise job. No
   * checkpoint follows. Called on the event loop.
   */
  public Value read(Source source) {
    return agent.read(enter, source);
  }

  /** Returns whether a script can be parsed; does not run it. */
  public boolean canParse(Source source) {
    return agent.canParse(source);
  }

  /**
   * Queues a task that is dropped if this realm is discarded before it runs. Callable on any
   * thread.
   */
  public void queueTask(TaskSource source, String label, Runnable steps) {
    agent.eventLoop().queueTask(source, this, label, steps);
  }

  /**
   * Queues a task that runs before all others, even if the agent is frozen; dropped if this realm
   * is discarded before. Callable on any thread.
   */
  public void queueFirstTask(String label, Runnable steps) {
    agent
        .eventLoop()
        .runBeforeOthers(
            label,
            () -> {
              if (!isDiscarded()) {
                steps.run();
              }
            });
  }

  /**
   * Ends the realm while its agent continues: drops its tasks, runs the actions of {@link
   * #onDiscard} and ends the agents that end with it. Script on the stack continues. On the event
   * loop.
   */
  public void discard() {
    agent.eventLoop().assertOnLoop();
    agent.realms().remove(this);
    end(inDiscard);
  }

  private void runInDiscard(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error failure) {
      agent.reportDefect("end of a realm", failure);
    }
  }

  /**
   * Ends the realm; idempotent. Runs each action, even if another one fails.
   *
   * @param runner runs an action and handles its failure
   */
  void end(Consumer<Runnable> runner) {
    synchronized (onDiscard) {
      if (discarded) {
        return;
      }
      discarded = true;
    }
    // no action is added any more; nothing is allocated before the locks are released
    for (int i = 0; i < onDiscard.size(); i++) {
      runner.accept(onDiscard.get(i));
    }
    onDiscard.clear();
    runner.accept(endFollowers);
  }

  private void endFollowers() {
    try {
      followers.forEach(Agent::terminate);
    } catch (OutOfMemoryError exhausted) {
      followers.forEach(Agent::terminate);
    }
    followers.clear();
  }

  /**
   * Runs an action when the realm has ended, alone or with its agent; at once if it has. If the
   * realm ends with its agent, no script of the agent can run by then. Callable on any thread.
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

  /** Returns whether the realm has ended. Callable on any thread. */
  public boolean isDiscarded() {
    return discarded;
  }
}
