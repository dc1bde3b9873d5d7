package dev.weblocks.agent;

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

  /** Whether a script can be parsed; nothing of it runs. */
  public boolean canParse(Source source) {
    return agent.syntaxErrorOf(source) == null;
  }

  /** Queues a task that is dropped if this realm is gone by then. Any thread. */
  public void queueTask(TaskSource source, String label, Runnable steps) {
    agent.eventLoop().queueTask(source, this, label, steps);
  }

  /** Ends the realm: its tasks are dropped. */
  public void discard() {
    discarded = true;
  }

  public boolean isDiscarded() {
    return discarded;
  }
}
