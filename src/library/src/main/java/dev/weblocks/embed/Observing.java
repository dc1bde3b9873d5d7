package dev.weblocks.embed;

import dev.weblocks.embed.internal.LockInvariantListener;
import dev.weblocks.html.FrameLimit;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockInvariants;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.locks.LockDiagnosis;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.Variant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lock watcher, lock entries, metrics and MXBean of a user agent. */
final class Observing {

  private Observing() {}

  /**
   * Returns a watcher that checks invariants of the locks, if the listener is a {@link
   * LockInvariantListener}; else null.
   */
  static @Nullable LockWatcher invariants(@Nullable LockListener listener, Set<Variant> variants) {
    Set<LockInvariants.Invariant> promised = LockInvariants.thatHoldWith(variants);
    if (promised.isEmpty() || !(listener instanceof LockInvariantListener checked)) {
      return null;
    }
    Consumer<String> violations = GuardedListeners.ofInvariants(checked);
    return new LockInvariants(promised, violation -> violations.accept(violation.toString()));
  }

  /** Returns the held locks and waiting requests of a user agent. Callable on any thread. */
  static List<LockEntry> locks(dev.weblocks.agent.UserAgent userAgent) {
    long now = userAgent.driver().clock().nanoTime();
    return LockDiagnosis.of(userAgent).stream().map(state -> state.entry(now)).toList();
  }

  static Metrics metrics(dev.weblocks.agent.UserAgent userAgent) {
    LockCounts counts = LockDiagnosis.counts(userAgent);
    HostConnections connections = HostConnections.of(userAgent);
    return new Metrics(
        counts.requests(),
        counts.grants(),
        counts.misses(),
        counts.steals(),
        counts.aborts(),
        counts.releases(),
        counts.held(),
        counts.pending(),
        userAgent.agents().size(),
        userAgent.abandonedAgents(),
        userAgent.activity().tasks(),
        FrameLimit.count(userAgent),
        userAgent.agents().stream().mapToInt(agent -> agent.eventLoop().timerCount()).sum(),
        connections.open(),
        connections.waiting(),
        userAgent.reachedLimits().counts());
  }

  /** The MXBean of a user agent; called on threads of the MBean server. */
  record Bean(UserAgent userAgent) implements UserAgentMXBean {
    @Override
    public long getRequests() {
      return userAgent.metrics().requests();
    }

    @Override
    public long getGrants() {
      return userAgent.metrics().grants();
    }

    @Override
    public long getMisses() {
      return userAgent.metrics().misses();
    }

    @Override
    public long getSteals() {
      return userAgent.metrics().steals();
    }

    @Override
    public long getAborts() {
      return userAgent.metrics().aborts();
    }

    @Override
    public long getReleases() {
      return userAgent.metrics().releases();
    }

    @Override
    public int getHeld() {
      return userAgent.metrics().held();
    }

    @Override
    public int getPending() {
      return userAgent.metrics().pending();
    }

    @Override
    public int getAgents() {
      return userAgent.metrics().agents();
    }

    @Override
    public int getAbandonedAgents() {
      return userAgent.metrics().abandonedAgents();
    }

    @Override
    public long getTasks() {
      return userAgent.metrics().tasks();
    }

    @Override
    public int getFrames() {
      return userAgent.metrics().frames();
    }

    @Override
    public int getTimers() {
      return userAgent.metrics().timers();
    }

    @Override
    public int getConnections() {
      return userAgent.metrics().connections();
    }

    @Override
    public int getWaitingConnections() {
      return userAgent.metrics().waitingConnections();
    }

    @Override
    public Map<String, Long> getLimitsReached() {
      Map<String, Long> byName = new TreeMap<>();
      userAgent
          .metrics()
          .limitsReached()
          .forEach((limit, count) -> byName.put(limit.name(), count));
      return byName;
    }

    @Override
    public List<String> getLocks() {
      return userAgent.locks().stream().map(Bean::line).toList();
    }

    private static String line(LockEntry entry) {
      String state = entry.isHeld() ? "held" : "requested at place " + entry.place();
      String url = entry.url().isEmpty() ? "" : entry.url() + " ";
      return "%s %s '%s' %s %s by %s %sfor %s"
          .formatted(
              entry.origin(),
              entry.bucket(),
              entry.name(),
              entry.mode().idlValue(),
              state,
              entry.agent(),
              url,
              entry.age());
    }
  }
}
