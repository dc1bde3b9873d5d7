package dev.weblocks.cluster.simulated;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.LeaderSessions;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of a simulated cluster with their log, which is never lost. A leader may believe to
 * lead for some time after it was replaced.
 */
final class SimulatedLog {

  static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Logged(byte[] bytes, long time) {}

  private final List<SimulatedMember> members = new ArrayList<>();
  private final List<Logged> log = new ArrayList<>();

  /** The futures of the replies to entries that the leader has not applied, by index. */
  private final Map<Integer, CompletableFuture<Reply>> appended = new HashMap<>();

  private final SimulatedTime time;
  private final Defect defect;
  private final Consumer<String> violations;
  private int leader;

  /** Whether the leader has applied all entries of former leaders. */
  private boolean leads;

  /** A member that does not know yet that it no longer leads; null for none. */
  private @Nullable SimulatedMember former;

  private boolean isFormerCutOff;

  SimulatedLog(int size, SimulatedTime time, Defect defect, Consumer<String> violations) {
    this.time = time;
    this.defect = defect;
    this.violations = violations;
    for (int i = 1; i <= size; i++) {
      members.add(new SimulatedMember("n" + i));
    }
  }

  List<SimulatedMember> members() {
    return members;
  }

  private SimulatedMember leader() {
    return members.get(leader);
  }

  // ---- clients
  // -----------------------------------------------------------------------------------

  CompletableFuture<Reply> append(Entry entry) {
    if (!leads) {
      return noLeader();
    }
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    appended.put(log.size(), reply);
    write(arrived(entry));
    return reply;
  }

  private static CompletableFuture<Reply> noLeader() {
    return CompletableFuture.failedFuture(new IOException("no member leads"));
  }

  private void write(Entry entry) {
    log.add(new Logged(EntryCodec.encode(entry), time.nanoTime()));
  }

  private Entry arrived(Entry entry) {
    if (defect != Defect.NO_DEDUPLICATION) {
      return entry;
    }
    return switch (entry) {
      case Entry.Batch batch -> leader().machine.renumbered(batch);
      case Entry.Several several ->
          new Entry.Several(several.entries().stream().map(this::arrived).toList());
      default -> entry;
    };
  }

  /** Reads from the member that leads. */
  CompletableFuture<Reply> read(byte[] query, boolean seesFormer) {
    return defect == Defect.STALE_RENEWAL
        ? peek(query, seesFormer)
        : read(query, leads ? leader() : null);
  }

  /**
   * Reads from the member that believes to lead.
   *
   * @param seesFormer whether the client can reach a former leader that was cut off
   */
  CompletableFuture<Reply> peek(byte[] query, boolean seesFormer) {
    boolean asksFormer = former != null && (seesFormer || !isFormerCutOff);
    return read(query, asksFormer ? former : leads ? leader() : null);
  }

  private CompletableFuture<Reply> read(byte[] bytes, @Nullable SimulatedMember asked) {
    Query query = EntryCodec.decodeQuery(bytes);
    return asked == null ? noLeader() : asked.leaderSessions.read(query, time.nanoTime());
  }

  // ---- members
  // -----------------------------------------------------------------------------------

  boolean canStep(SimulatedMember member) {
    return member == former
        ? !isFormerCutOff
        : member.applied < log.size() || (member == leader() && !leads);
  }

  /** Lets a member hear that it no longer leads, or apply an entry, or begin to lead. */
  void step(SimulatedMember member) {
    if (member == former) {
      endFormer();
      return;
    }
    if (member.applied < log.size()) {
      applyNext(member);
    }
    if (member == leader() && !leads && member.applied == log.size()) {
      leads = true;
      member.leaderSessions.becomeLeader(time.nanoTime());
    }
  }

  private void applyNext(SimulatedMember member) {
    int index = member.applied;
    Logged entry = log.get(index);
    Reply reply = member.apply(entry.bytes(), entry.time(), time.nanoTime());
    if (member == leader()) {
      CompletableFuture<Reply> waiting = appended.remove(index);
      if (waiting != null) {
        waiting.complete(reply);
      }
    }
    for (SimulatedMember other : members) {
      if (other != member
          && other.applied == member.applied
          && !Arrays.equals(other.state(), member.state())) {
        violations.accept(
            "%s and %s differ after entry %s".formatted(other.name, member.name, index + 1));
      }
    }
  }

  void changeLeader() {
    endFormer();
    if (leads) {
      former = leader();
    }
    leader = (leader + 1) % members.size();
    leads = false;
    appended.clear(); // they are never answered
  }

  /** Cuts the leader off from the other members. */
  void cutOffLeader() {
    changeLeader();
    isFormerCutOff = true;
  }

  private void endFormer() {
    if (former != null) {
      former.leaderSessions.becomeFollower();
      former = null;
    }
  }

  /** Starts a follower again from its last snapshot, and lets another one take one. */
  void restartFollower() {
    members.get((leader + 1) % members.size()).restart();
    members.get((leader + 2) % members.size()).takeSnapshot();
  }

  /** Lets the leader look for silent sessions, and a former one in vain. */
  void expire() {
    if (former != null) {
      former.leaderSessions.collectSilent(time.nanoTime());
    }
    if (!leads) {
      return;
    }
    LeaderSessions sessions = leader().leaderSessions;
    boolean isEarly = defect == Defect.EARLY_EXPIRY;
    long now = time.nanoTime() + (isEarly ? LEASE_NANOS : 0);
    boolean first = true;
    for (ExpireSession expiry : sessions.collectSilent(now)) {
      if (isEarly && !first) { // if all ended at once, none would get a lock of another one
        sessions.expiryFailed(expiry);
      } else {
        write(expiry);
      }
      first = false;
    }
  }

  /** Expires a session, although it is not silent. */
  void expire(long session) {
    write(leader().machine.expiryOf(session));
  }

  // ---- state
  // -------------------------------------------------------------------------------------

  /** Returns whether a member leads, and all have applied all entries. */
  boolean isSettled() {
    return leads && members.stream().allMatch(member -> member.applied == log.size());
  }

  int sessionCount() {
    return leader().machine.sessionCount();
  }

  boolean hasDeliveredAll(long session, long lastEvent) {
    return leader().machine.hasDeliveredAll(session, lastEvent);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("log of ").append(log.size()).append(" entries; ");
    for (SimulatedMember member : members) {
      text.append(member.name).append(" at ").append(member.applied);
      text.append(member == leader() ? leads ? ", leads; " : ", is elected; " : "; ");
    }
    return text.toString();
  }
}
