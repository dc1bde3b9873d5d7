package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A watchdog that reports each request once, when it has waited for a time limit. Its scans do not
 * count as activity of the user agent. A step that leaves requests waiting sets an alarm, unless
 * one is set. When the alarm is due, the queues are scanned, and the alarm is set to the time at
 * which the next request reaches the limit, if there is one.
 */
public final class LockWatchdog {

  /** A listener for requests that have waited for too long. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Reports that requests have reached the limit. Called on a thread of the driver, one call at a
     * time; must neither throw nor block.
     *
     * @param late the requests, at least one, that were not reported before; a request of several
     *     names is listed once for each name
     * @param all the held locks and waiting requests at the same moment
     */
    void late(List<LockEntry> late, List<LockEntry> all);
  }

  private final long limitNanos;
  private final Listener listener;

  /**
   * Creates a watchdog.
   *
   * @param limitNanos the limit by the clock of the driver; positive
   */
  public LockWatchdog(long limitNanos, Listener listener) {
    this.limitNanos = limitNanos;
    this.listener = listener;
  }

  /** The actor that watches the locks of one user agent. */
  public final class Watch implements Actor, LockWatcher {
    private final IntSupplier pending;
    private final Supplier<List<LockState>> diagnosis;
    private final Clock clock;
    private final Driver.Lane lane;

    /** The ids of waiting requests that were reported. Used only in a turn. */
    private final Set<RequestId> reported = new HashSet<>();

    /** The time of the next scan; {@link #NEVER} for none. Changed under this object's monitor. */
    private volatile long alarm = NEVER;

    private Watch(UserAgent userAgent, IntSupplier pending, Supplier<List<LockState>> diagnosis) {
      this.pending = pending;
      this.diagnosis = diagnosis;
      this.clock = userAgent.driver().clock();
      this.lane = userAgent.attachOnlooker(this, Driver.Kind.EVENT_LOOP);
    }

    @Override
    public void on(LockTransition transition) {
      // what waits after the step counts
    }

    @Override
    public void stepHasRun(LockCommand command, LockService queue) {
      stepTaken();
    }

    /** Sets the alarm, unless it is set or no request waits. Called after steps; any thread. */
    public void stepTaken() {
      if (pending.getAsInt() == 0) {
        return;
      }
      synchronized (this) { // the alarm is read inside: a turn that scanned too early may end now
        if (alarm != NEVER) {
          return;
        }
        alarm = after(clock.nanoTime());
      }
      lane.wake(); // the driver reads deadlines only after turns
    }

    private long after(long since) {
      return since + Math.min(limitNanos, NEVER - 1 - since);
    }

    @Override
    public String name() {
      return "lock watchdog";
    }

    @Override
    public boolean runTurn() {
      if (alarm > clock.nanoTime()) {
        return false;
      }
      List<LockState> all;
      List<LockState> late = new ArrayList<>();
      // a request that begins to wait meanwhile is seen here, or its step sets the alarm after this
      synchronized (this) {
        all = diagnosis.get();
        alarm = look(all, late);
      }
      if (!late.isEmpty()) {
        long now = clock.nanoTime();
        listener.late(entries(late, now), entries(all, now));
      }
      return false;
    }

    private static List<LockEntry> entries(List<LockState> states, long now) {
      return states.stream().map(state -> state.entry(now)).toList();
    }

    /** Collects the late requests; returns the time of the next scan. */
    private long look(List<LockState> all, List<LockState> late) {
      long now = clock.nanoTime();
      long next = NEVER;
      Set<RequestId> reportedBefore = Set.copyOf(reported);
      reported.clear();
      for (LockState state : all) {
        if (state.isHeld()) {
          continue;
        }
        if (reportedBefore.contains(state.id())) {
          reported.add(state.id());
        } else if (after(state.sinceNanos()) <= now) {
          reported.add(state.id());
          late.add(state);
        } else {
          next = Math.min(next, after(state.sinceNanos()));
        }
      }
      return next;
    }

    @Override
    public long nextDeadline() {
      return alarm;
    }
  }

  /**
   * Returns a watch over the lock service of a user agent; null if the user agent has no watchdog.
   */
  static @Nullable Watch of(UserAgent userAgent) {
    return of(
        userAgent,
        () -> LockDiagnosis.counts(userAgent).pending(),
        () -> LockDiagnosis.of(userAgent));
  }

  /**
   * Returns a watch over the given locks; null if the user agent has no watchdog.
   *
   * @param pending returns the number of waiting requests; any thread
   * @param diagnosis returns the held locks and waiting requests; any thread
   */
  public static @Nullable Watch of(
      UserAgent userAgent, IntSupplier pending, Supplier<List<LockState>> diagnosis) {
    LockWatchdog watchdog = LockSettings.of(userAgent).watchdog();
    return watchdog == null ? null : watchdog.new Watch(userAgent, pending, diagnosis);
  }
}
