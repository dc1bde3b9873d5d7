package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RaiseVersion;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.Query.Diagnose;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Opened;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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

  /** The ends of shared polls are multiples of this time, so that they become fewer and larger. */
  private static final long POLL_GRID = TimeUnit.MILLISECONDS.toNanos(250);

  /** A query for events that is not answered. Identity is equality. */
  private static final class Waiting {
    final Query query;
    final List<Poll> polls;
    final long arrived;
    final CompletableFuture<Reply> answer = new CompletableFuture<>();
    long until;

    Waiting(Query query, List<Poll> polls, long now) {
      this.query = query;
      this.polls = polls;
      this.arrived = now;
    }
  }

  private final ClusterMachine machine;
  private final Executor executor;

  /** The query with the last poll of each session that waits. */
  private final Map<Long, Waiting> polls = new HashMap<>();

  private final Map<Long, Long> heard = new HashMap<>();
  private final Set<Long> expiring = new HashSet<>();
  private boolean leading;
  private boolean raising;

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
    raising = false;
    expiring.clear();
    heard.clear();
    machine.leases().keySet().forEach(id -> heard.put(id, now));
  }

  /** Answers all polls: this member no longer leads. */
  public void becomeFollower() {
    leading = false;
    expiring.clear();
    Set<Waiting> all = new LinkedHashSet<>(polls.values());
    polls.clear();
    all.forEach(waiting -> executor.execute(() -> waiting.answer.complete(NOT_LEADING)));
  }

  /** Answers a query. The caller has checked after its arrival that this member leads. */
  public CompletableFuture<Reply> read(Query query, long now) {
    if (!leading) {
      return CompletableFuture.completedFuture(NOT_LEADING);
    }
    return switch (query) {
      case Poll poll -> poll(new Waiting(poll, List.of(poll), now));
      case SharedPoll shared -> poll(new Waiting(shared, shared.polls(), now));
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

  private CompletableFuture<Reply> poll(Waiting waiting) {
    boolean isDue = waiting.polls.isEmpty();
    long wait = LONGEST_POLL;
    for (Poll poll : waiting.polls) {
      long id = poll.session();
      if (machine.events(id, poll.secret(), poll.acknowledged()) instanceof Reply.SessionOver) {
        isDue = true;
      } else if (!expiring.contains(id)) {
        hear(id, waiting.arrived);
        wait = Math.min(wait, TimeUnit.MILLISECONDS.toNanos(machine.leaseMillis(id)) / 4);
        isDue |= machine.hasEventsAfter(id, poll.acknowledged());
      }
    }
    if (isDue) {
      return CompletableFuture.completedFuture(reply(waiting));
    }
    waiting.until = waiting.arrived + wait;
    if (waiting.query instanceof SharedPoll) {
      waiting.until -= Math.floorMod(waiting.until, POLL_GRID);
    }
    for (Poll poll : waiting.polls) {
      Waiting earlier = polls.put(poll.session(), waiting);
      if (earlier != null && earlier != waiting) {
        answer(earlier); // the client has given it up, or this one is a copy of it
      }
    }
    return waiting.answer;
  }

  private void answer(Waiting waiting) {
    for (Poll poll : waiting.polls) {
      polls.remove(poll.session(), waiting);
      if (!expiring.contains(poll.session())) {
        hear(poll.session(), waiting.arrived); // if it was about to expire when the poll arrived
      }
    }
    Reply reply = reply(waiting);
    executor.execute(() -> waiting.answer.complete(reply));
  }

  /** Returns the reply to a query; it does not renew a session that is about to expire. */
  private Reply reply(Waiting waiting) {
    if (waiting.query instanceof Poll poll) {
      return reply(poll);
    }
    List<Reply> replies = new ArrayList<>();
    long bytes = 0;
    for (Poll poll : waiting.polls) {
      Reply reply = limited(reply(poll), bytes);
      bytes += bytesOf(reply);
      replies.add(reply);
    }
    return new Reply.Several(replies);
  }

  private Reply reply(Poll poll) {
    return expiring.contains(poll.session())
        ? NOT_LEADING
        : machine.events(poll.session(), poll.secret(), poll.acknowledged());
  }

  /** Renews a session by a poll that is or will be answered. */
  private void hear(long id, long arrived) {
    heard.computeIfPresent(id, (same, before) -> arrived - before > 0 ? arrived : before);
  }

  /** Returns a reply without its events if those of others in the same message are large. */
  private static Reply limited(Reply reply, long bytesBefore) {
    return bytesBefore >= Caps.POLL_REPLY && reply instanceof Events answer
        ? new Events(answer.lastCommand(), List.of())
        : reply;
  }

  private static long bytesOf(Reply reply) {
    long bytes = 0;
    if (reply instanceof Events answer) {
      for (Event event : answer.events()) {
        bytes += Quota.bytesOf(event.effect());
      }
    }
    return bytes;
  }

  /** Applies an entry to the machine, and answers the polls of sessions that get events. */
  public Reply apply(Entry entry, long index, long time, long now) {
    if (!(entry instanceof Several several)) {
      return apply(entry, index, time, now, 0);
    }
    List<Reply> replies = new ArrayList<>();
    long bytes = 0;
    for (Entry each : several.entries()) {
      Reply reply = apply(each, index, time, now, bytes);
      bytes += bytesOf(reply);
      replies.add(reply);
    }
    return new Reply.Several(replies);
  }

  private Reply apply(Entry entry, long index, long time, long now, long bytesBefore) {
    Reply reply = limited(machine.apply(entry, index, time), bytesBefore);
    List<Long> touched = machine.takeTouched();
    if (leading) {
      applied(entry, reply, touched, now);
    }
    return reply;
  }

  private void applied(Entry entry, Reply reply, List<Long> touched, long now) {
    long replied = 0;
    switch (entry) {
      case Batch batch -> {
        if (reply instanceof Events answer) { // a forged one neither renews nor gets events
          heard.computeIfPresent(batch.session(), (id, before) -> now);
          replied = hasAll(batch, answer) ? batch.session() : 0;
        }
      }
      case ExpireSession expire -> expiring.remove(expire.session());
      case OpenSession open -> {
        if (reply instanceof Opened opened) {
          heard.putIfAbsent(opened.session(), now);
        }
      }
      case RaiseVersion raise -> raising = false;
      default -> {}
    }
    // the reply to a batch contains the events of its session, so that its poll goes on waiting
    for (Long id : touched) {
      Waiting waiting = polls.get(id);
      if (waiting != null && id != replied && !expiring.contains(id)) {
        answer(waiting);
      }
    }
  }

  private boolean hasAll(Batch batch, Events answer) {
    List<Event> events = answer.events();
    long last = events.isEmpty() ? batch.acknowledged() : events.getLast().number();
    return !machine.hasEventsAfter(batch.session(), last);
  }

  /**
   * Returns the entry from which on the newest rules hold, once all members that have joined can
   * follow them; null before, and after it.
   *
   * @return to be appended; must be applied or followed by a call of {@link #raiseFailed}
   */
  public @Nullable RaiseVersion collectRaise() {
    if (!leading || raising || !machine.canRaise(EntryCodec.VERSION)) {
      return null;
    }
    raising = true;
    return new RaiseVersion(EntryCodec.VERSION);
  }

  /** Handles that an entry of {@link #collectRaise} could not be appended. */
  public void raiseFailed() {
    raising = false;
  }

  /**
   * Answers polls whose wait is over, and returns the sessions that were silent for their lease.
   *
   * @return entries to append, each of which must be applied or followed by a call of {@link
   *     #expiryFailed}
   */
  public List<ExpireSession> collectSilent(long now) {
    List<ExpireSession> silent = new ArrayList<>();
    if (!leading) {
      return silent;
    }
    Set<Waiting> due = new LinkedHashSet<>();
    for (Waiting waiting : polls.values()) {
      if (waiting.until - now <= 0
          && !(waiting.query instanceof Poll poll && expiring.contains(poll.session()))) {
        due.add(waiting);
      }
    }
    due.forEach(this::answer);
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
