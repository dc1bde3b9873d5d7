package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Query.Diagnose;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The sessions on the side of the leader: waiting polls, and the time since the last message of
 * each session. Not replicated: a new leader starts all leases anew.
 *
 * <p>The leader counts the whole lease from when a message arrived; the user agent counts nine
 * tenths of it from when it sent the message. So a session expires after its user agent has stopped
 * using its locks, if both clocks run at the same speed within a tenth. Between the decision to
 * expire a session and the entry that does it, no poll of the session is answered.
 *
 * <p>Not thread-safe: guarded by the same monitor as the machine. Times are in nanoseconds of a
 * monotonic clock.
 */
public final class LeaderSessions {

  /** The longest wait of a poll for events; shorter for short leases. */
  private static final long LONGEST_POLL = TimeUnit.SECONDS.toNanos(1);

  private static final Reply NOT_LEADING = new Reply.NotLeading("");

  private record Waiting(Poll poll, CompletableFuture<Reply> answer, long until) {}

  private final ClusterMachine machine;
  private final Executor executor;
  private final Map<Long, Waiting> polls = new HashMap<>();
  private final Map<Long, Long> heard = new HashMap<>();
  private final Set<Long> expiring = new HashSet<>();
  private boolean leading;

  /**
   * Creates a leaderSessions that does not lead.
   *
   * @param executor completes the answers, in order
   */
  public LeaderSessions(ClusterMachine machine, Executor executor) {
    this.machine = machine;
    this.executor = executor;
  }

  /** Starts all leases. To be called when all entries of former leaders were applied. */
  public void becomeLeader(long now) {
    leading = true;
    expiring.clear();
    heard.clear();
    machine.leases().keySet().forEach(id -> heard.put(id, now));
  }

  /** Answers all polls: this member no longer leads. */
  public void becomeFollower() {
    leading = false;
    expiring.clear();
    List<Waiting> all = List.copyOf(polls.values());
    polls.clear();
    all.forEach(waiting -> executor.execute(() -> waiting.answer().complete(NOT_LEADING)));
  }

  /** Answers a query. The caller has checked after its arrival that this member leads. */
  public CompletableFuture<Reply> read(Query query, long now) {
    if (!leading) {
      return CompletableFuture.completedFuture(NOT_LEADING);
    }
    return switch (query) {
      case Poll poll -> poll(poll, now);
      case Diagnose diagnose ->
          CompletableFuture.completedFuture(machine.diagnose(diagnose.namespace()));
      case ReadStatus ask -> CompletableFuture.completedFuture(machine.status(silentMillis(now)));
    };
  }

  private Map<Long, Long> silentMillis(long now) {
    Map<Long, Long> silent = new HashMap<>();
    heard.forEach((id, at) -> silent.put(id, TimeUnit.NANOSECONDS.toMillis(now - at)));
    return silent;
  }

  private CompletableFuture<Reply> poll(Poll poll, long now) {
    Reply reply = machine.events(poll.session(), poll.secret(), poll.acknowledged());
    if (reply instanceof Reply.SessionOver) {
      return CompletableFuture.completedFuture(reply);
    }
    boolean waits = expiring.contains(poll.session());
    if (!waits) {
      heard.put(poll.session(), now);
      if (machine.hasEventsAfter(poll.session(), poll.acknowledged())) {
        return CompletableFuture.completedFuture(reply);
      }
    }
    long lease = TimeUnit.MILLISECONDS.toNanos(machine.leaseMillis(poll.session()));
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    Waiting earlier =
        polls.put(
            poll.session(), new Waiting(poll, answer, now + Math.min(LONGEST_POLL, lease / 4)));
    if (earlier != null) { // the client has given it up, or this one is a copy of it
      if (waits) {
        executor.execute(() -> earlier.answer().complete(NOT_LEADING));
      } else {
        answer(earlier);
      }
    }
    return answer;
  }

  private void answer(Waiting waiting) {
    Poll poll = waiting.poll();
    Reply reply = machine.events(poll.session(), poll.secret(), poll.acknowledged());
    executor.execute(() -> waiting.answer().complete(reply));
  }

  /** Handles that an entry was applied: answers the polls of sessions that got events. */
  public void applied(Entry entry, long now) {
    List<Long> touched = machine.takeTouched();
    if (!leading) {
      return;
    }
    switch (entry) {
      case Batch batch -> heard.computeIfPresent(batch.session(), (id, before) -> now);
      case ExpireSession expire -> expiring.remove(expire.session());
      case OpenSession open -> heard.putIfAbsent(machine.newestSession(), now);
      default -> {}
    }
    // the reply to a batch contains the events of its session, so that its poll goes on waiting
    long replied = entry instanceof Batch batch ? batch.session() : 0;
    for (Long id : touched) {
      Waiting waiting = polls.get(id);
      if (waiting != null && id != replied && !expiring.contains(id)) {
        polls.remove(id);
        answer(waiting);
      }
    }
  }

  /**
   * Answers polls whose wait is over, and returns the sessions that were silent for their lease.
   *
   * @return entries to append, each of which must be followed by a call of {@link #applied} or
   *     {@link #expiryFailed}
   */
  public List<ExpireSession> collectSilent(long now) {
    List<ExpireSession> silent = new ArrayList<>();
    if (!leading) {
      return silent;
    }
    for (Iterator<Waiting> each = polls.values().iterator(); each.hasNext(); ) {
      Waiting waiting = each.next();
      if (waiting.until() - now <= 0 && !expiring.contains(waiting.poll().session())) {
        each.remove();
        answer(waiting);
      }
    }
    Map<Long, Long> leases = machine.leases();
    heard.keySet().retainAll(leases.keySet());
    leases.forEach((id, lease) -> {
      long since = now - heard.computeIfAbsent(id, unknown -> now);
      if (since > TimeUnit.MILLISECONDS.toNanos(lease) && expiring.add(id)) {
        silent.add(machine.expiryOf(id));
      }
    });
    return silent;
  }

  /** Handles that an entry of {@link #collectSilent} could not be appended. */
  public void expiryFailed(ExpireSession entry) {
    expiring.remove(entry.session());
  }
}
