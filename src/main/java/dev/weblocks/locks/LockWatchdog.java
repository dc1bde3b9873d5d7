package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.RequestId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of requests that have waited for some time, each once: a supplement of a user agent, put
 * there before its first lock. It looks on: no user agent is kept from its rest by it.
 *
 * <p>Nothing is noted at a request. While any waits there is an alarm, and when that goes off the
 * queues are looked through: once for each limit of time at most, unless requests get too old at
 * different times.
 */
public final class LockWatchdog {

  /** Hears of requests that have waited for too long. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Some have reached the limit. On a thread of the driver, one call at a time; must neither
     * throw nor block.
     *
     * @param late the requests, at least one, of which nothing was told before; one that has
     *     several names once for each
     * @param all what is held and who waits, at the same moment
     */
    void late(List<LockState> late, List<LockState> all);
  }

  private final long limitNanos;
  private final Listener listener;

  /**
   * Makes one.
   *
   * @param limitNanos by the clock of the driver; positive
   */
  public LockWatchdog(long limitNanos, Listener listener) {
    this.limitNanos = limitNanos;
    this.listener = listener;
  }

  /** The watch over the locks of one user agent. */
  public final class Watch implements Actor {
    private final IntSupplier pending;
    private final Supplier<List<LockState>> diagnosis;
    private final Clock clock;
    private final Driver.Lane lane;

    /** The ids of requests that wait and were told of. While a turn runs only. */
    private final Set<RequestId> told = new HashSet<>();

    /** When to look; {@link #NEVER} while nothing waits. Changed under the monitor of this. */
    private volatile long alarm = NEVER;

    private Watch(UserAgent userAgent, IntSupplier pending, Supplier<List<LockState>> diagnosis) {
      this.pending = pending;
      this.diagnosis = diagnosis;
      this.clock = userAgent.driver().clock();
      this.lane = userAgent.attachOnlooker(this, Driver.Kind.EVENT_LOOP);
    }

    /** A step has run by which a request may have begun to wait. Any thread. */
    public void stepTaken() {
      if (pending.getAsInt() == 0) {
        return;
      }
      synchronized (this) { // not to be asked before: a turn that has looked too early may end now
        if (alarm != NEVER) {
          return;
        }
        alarm = after(clock.nanoTime());
      }
      lane.wake(); // the driver asks for deadlines after turns only
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
      // a step that has begun to wait meanwhile is seen here, or sets the alarm after this
      synchronized (this) {
        all = diagnosis.get();
        alarm = look(all, late);
      }
      if (!late.isEmpty()) {
        listener.late(late, all);
      }
      return false;
    }

    /** Returns when to look again. */
    private long look(List<LockState> all, List<LockState> late) {
      long now = clock.nanoTime();
      long next = NEVER;
      Set<RequestId> toldBefore = Set.copyOf(told);
      told.clear();
      for (LockState state : all) {
        if (state.isHeld()) {
          continue;
        }
        if (toldBefore.contains(state.id())) {
          told.add(state.id());
        } else if (after(state.sinceNanos()) <= now) {
          told.add(state.id());
          late.add(state);
        } else {
          next = Math.min(next, after(state.sinceNanos()));
        }
      }
      return next;
    }

    @Override
    public boolean hasWork() {
      return false;
    }

    @Override
    public long nextDeadline() {
      return alarm;
    }
  }

  /** Returns the watch over the lock service of a user agent; null if it has no watchdog. */
  static @Nullable Watch of(UserAgent userAgent, LockService service) {
    return of(userAgent, () -> service.stats().pending(), service::diagnose);
  }

  /**
   * The watch over locks of another kind; null where nobody has asked for one.
   *
   * @param pending how many requests wait; any thread
   * @param diagnosis what is held and who waits; any thread
   */
  public static @Nullable Watch of(
      UserAgent userAgent, IntSupplier pending, Supplier<List<LockState>> diagnosis) {
    LockWatchdog watchdog = userAgent.supplements().find(LockWatchdog.class);
    return watchdog == null ? null : watchdog.new Watch(userAgent, pending, diagnosis);
  }
}
