package dev.weblocks.observe;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.AgentWatcher;
import dev.weblocks.agent.Clock;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.LockTransition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All who may hear of the locks and agents of one user agent. */
public final class Observation implements LockWatcher, AgentWatcher {

  private final Clock clock;
  private final @Nullable Hearer listener;
  private final @Nullable FlightRecords records = hasFlightRecorder() ? new FlightRecords() : null;
  private final Journal journal = new Journal();
  private final Map<Agent, Long> beginnings = new ConcurrentHashMap<>();

  /**
   * Makes the observation of a user agent.
   *
   * @param clock of its driver
   * @param listener the embedder's; null for none
   */
  public Observation(Clock clock, @Nullable Hearer listener) {
    this.clock = clock;
    this.listener = listener;
  }

  /** Asked here, since the JVM cannot even verify the classes of the events without it. */
  private static boolean hasFlightRecorder() {
    return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
  }

  @Override
  public boolean isWatching() {
    return listener != null
        || (records != null && records.isRecording())
        || journal.wantsTransitions();
  }

  @Override
  public void on(LockTransition transition) {
    if (records != null) {
      records.on(transition);
    }
    journal.on(transition);
    if (listener != null) {
      try {
        listener.on(transition);
      } catch (RuntimeException | Error failure) {
        journal.listenerFailed(failure);
      }
    }
  }

  @Override
  public void begins(Agent agent) {
    beginnings.put(agent, clock.nanoTime());
    if (records != null) {
      records.begins(agent);
    }
    journal.begins(agent);
  }

  @Override
  public void ended(Agent agent) {
    Long begun = beginnings.remove(agent);
    long nanos = begun == null ? 0 : clock.nanoTime() - begun;
    if (records != null) {
      records.ended(agent, nanos);
    }
    journal.ended(agent, nanos);
    if (listener != null) {
      try {
        listener.agentEnded(agent.name(), nanos);
      } catch (RuntimeException | Error failure) {
        journal.listenerFailed(failure);
      }
    }
  }
}
