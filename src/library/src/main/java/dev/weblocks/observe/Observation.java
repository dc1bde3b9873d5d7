package dev.weblocks.observe;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.AgentWatcher;
import dev.weblocks.agent.Clock;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.model.LockListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The dispatcher of the lock and agent events of one user agent. Sends them to the flight recorder,
 * the loggers and the listener of the embedder.
 */
public final class Observation implements LockWatcher, AgentWatcher {

  private final Clock clock;
  private final @Nullable LockListener listener;
  private final boolean hasFlightRecorder = hasFlightRecorder();

  /** The writer of recorder events; null until the flight recorder is initialized. */
  private volatile @Nullable FlightRecords records;

  private final LockLogger journal = new LockLogger();
  private final Map<Agent, Long> beginnings = new ConcurrentHashMap<>();

  /**
   * Creates the dispatcher of a user agent.
   *
   * @param clock the clock of the driver
   * @param listener the listener of the embedder; null for none
   */
  public Observation(Clock clock, @Nullable LockListener listener) {
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Returns whether the JVM has the flight recorder. Checked here, since the JVM cannot even verify
   * the event classes without it.
   */
  private static boolean hasFlightRecorder() {
    return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
  }

  private @Nullable FlightRecords records() {
    FlightRecords made = records;
    return made != null || !hasFlightRecorder || !FlightRecords.isWanted() ? made : makeRecords();
  }

  private synchronized FlightRecords makeRecords() {
    FlightRecords made = records;
    if (made == null) {
      made = new FlightRecords();
      records = made;
    }
    return made;
  }

  @Override
  public boolean isWatching() {
    FlightRecords recorder = records();
    return listener != null
        || (recorder != null && recorder.isRecording())
        || journal.wantsTransitions();
  }

  @Override
  public void on(LockTransition transition) {
    FlightRecords recorder = records();
    if (recorder != null) {
      recorder.on(transition);
    }
    journal.on(transition);
    if (listener != null) {
      try {
        report(listener, transition);
      } catch (RuntimeException | Error failure) {
        journal.listenerFailed(failure);
      }
    }
  }

  private static void report(LockListener listener, LockTransition transition) {
    switch (transition.kind()) {
      case REQUESTED -> listener.requested(transition.event());
      case GRANTED -> listener.granted(transition.event());
      case MISSED -> listener.missed(transition.event());
      case ABORTED -> listener.aborted(transition.event());
      case RELEASED -> listener.released(transition.event());
      case STOLEN -> listener.stolen(transition.event());
    }
  }

  @Override
  public void begins(Agent agent) {
    beginnings.put(agent, clock.nanoTime());
    FlightRecords recorder = records();
    if (recorder != null) {
      recorder.begins(agent);
    }
    journal.begins(agent);
  }

  @Override
  public void ended(Agent agent) {
    Long begun = beginnings.remove(agent);
    long nanos = begun == null ? 0 : clock.nanoTime() - begun;
    FlightRecords recorder = records();
    if (recorder != null) {
      recorder.ended(agent, nanos);
    }
    journal.ended(agent, nanos);
    if (listener != null) {
      try {
        listener.agentEnded(agent.name(), Duration.ofNanos(nanos));
      } catch (RuntimeException | Error failure) {
        journal.listenerFailed(failure);
      }
    }
  }
}
