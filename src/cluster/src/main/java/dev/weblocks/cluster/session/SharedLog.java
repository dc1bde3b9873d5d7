package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Rejected;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The log as the sessions of one connection share it. Entries that wait while others are in flight
 * travel together, and so do the polls of sessions that had no events lately: many sessions need
 * hardly more messages than one. Thread-safe.
 *
 * <p>A cluster in which a member of an earlier version runs rejects such messages. Then each part
 * is sent in a message of its own, for a minute.
 */
public final class SharedLog implements ReplicatedLog {

  /** The messages with entries in flight from which on further entries wait for each other. */
  private static final int IN_FLIGHT = 4;

  /** The bytes of entries that travel together. */
  private static final int BYTES = Caps.MESSAGE / 2;

  private static final long SEPARATE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A message, or a part of one. */
  private record Part<T>(T content, CompletableFuture<Reply> reply) {
    Part(T content) {
      this(content, new CompletableFuture<>());
    }
  }

  private final ReplicatedLog log;
  private final ClusterTime time;
  private final long gatherNanos;
  private final Executor executor;

  // guarded by this
  private final Deque<Part<Entry>> entries = new ArrayDeque<>();
  private final List<Part<Poll>> polls = new ArrayList<>();
  private int inFlight;
  private long separateUntil;

  /**
   * Creates a log.
   *
   * @param gatherNanos the time for which a poll waits for others to share a message with
   * @param executor completes the replies to entries that have waited: their owners are others than
   *     the one whose thread has sent them
   */
  public SharedLog(ReplicatedLog log, ClusterTime time, long gatherNanos, Executor executor) {
    this.log = log;
    this.time = time;
    this.gatherNanos = gatherNanos;
    this.executor = executor;
    this.separateUntil = time.nanoTime();
  }

  @Override
  public CompletableFuture<Reply> append(Entry entry) {
    synchronized (this) {
      if (inFlight >= IN_FLIGHT) {
        Part<Entry> waiting = new Part<>(entry);
        entries.add(waiting);
        return waiting.reply();
      }
      inFlight++;
    }
    try {
      return log.append(entry).whenComplete((reply, failure) -> appendNext());
    } catch (RuntimeException | Error exhausted) {
      appendNext();
      throw exhausted;
    }
  }

  @Override
  public CompletableFuture<Reply> read(Query query) {
    return log.read(query);
  }

  @Override
  public CompletableFuture<Reply> peek(Poll poll) {
    return log.peek(poll);
  }

  /** Sends a poll together with others, if it can wait a little. */
  public CompletableFuture<Reply> share(Poll poll) {
    Part<Poll> part = new Part<>(poll);
    synchronized (this) {
      if (isSeparate()) {
        return log.read(poll);
      }
      polls.add(part);
      if (polls.size() > 1) {
        return part.reply();
      }
    }
    try {
      time.after(gatherNanos, this::readShared);
    } catch (RuntimeException | Error exhausted) {
      failShared(exhausted);
    }
    return part.reply();
  }

  private boolean isSeparate() {
    return separateUntil - time.nanoTime() > 0;
  }

  /** Sends what has waited for the end of a message. */
  private void appendNext() {
    List<Part<Entry>> next = new ArrayList<>();
    synchronized (this) {
      inFlight--;
      if (inFlight >= IN_FLIGHT || entries.isEmpty()) {
        return;
      }
      inFlight++;
      try {
        takeNext(next);
      } catch (RuntimeException | Error exhausted) {
        inFlight--;
        next.addAll(entries);
        entries.clear();
        fail(next, exhausted);
        return;
      }
    }
    var unused =
        send(next, all -> log.append(all.size() == 1 ? all.getFirst() : new Several(all)), executor)
            .whenComplete((reply, failure) -> appendNext());
  }

  private void takeNext(List<Part<Entry>> next) {
    long bytes = 0;
    Part<Entry> part;
    while ((part = entries.peek()) != null) {
      bytes += EntryCodec.encode(part.content()).length;
      if (!next.isEmpty() && (bytes > BYTES || isSeparate())) {
        return;
      }
      next.add(entries.remove());
    }
  }

  private void readShared() {
    List<Part<Poll>> all;
    synchronized (this) {
      try {
        all = List.copyOf(polls);
      } catch (Error exhausted) {
        failShared(exhausted);
        return;
      }
      polls.clear();
    }
    for (int from = 0; from < all.size(); from += Caps.SHARED_POLLS) {
      var unused =
          send(
              all.subList(from, Math.min(all.size(), from + Caps.SHARED_POLLS)),
              some -> log.read(some.size() == 1 ? some.getFirst() : new SharedPoll(some)),
              Runnable::run);
    }
  }

  /** Fails the polls that wait: otherwise no later one would begin to send them. */
  private synchronized void failShared(Throwable cause) {
    fail(polls, cause);
    polls.clear();
  }

  private static <T> void fail(List<Part<T>> parts, Throwable cause) {
    parts.forEach(part -> part.reply().completeExceptionally(cause));
  }

  /** Sends parts in one message; returns the reply to it. */
  private <T> CompletableFuture<Reply> send(
      List<Part<T>> parts, Function<List<T>, CompletableFuture<Reply>> message, Executor replies) {
    CompletableFuture<Reply> reply;
    try {
      reply = message.apply(parts.stream().map(Part::content).toList());
    } catch (RuntimeException | Error exhausted) {
      reply = CompletableFuture.failedFuture(exhausted);
    }
    var unused =
        reply
            .thenAcceptAsync(each -> answered(parts, message, replies, each), replies)
            .whenComplete((end, failure) -> {
              if (failure != null) { // of the message, or there is no thread for the replies
                fail(parts, failure);
              }
            });
    return reply;
  }

  private <T> void answered(
      List<Part<T>> parts,
      Function<List<T>, CompletableFuture<Reply>> message,
      Executor replies,
      Reply reply) {
    if (parts.size() == 1) {
      parts.getFirst().reply().complete(reply);
    } else if (reply instanceof Reply.Several several && several.replies().size() == parts.size()) {
      for (int i = 0; i < parts.size(); i++) {
        parts.get(i).reply().complete(several.replies().get(i));
      }
    } else if (reply instanceof Rejected) {
      synchronized (this) {
        separateUntil = time.nanoTime() + SEPARATE_NANOS;
      }
      parts.forEach(part -> send(List.of(part), message, replies));
    } else {
      fail(parts, new IOException("a reply to another message: " + reply));
    }
  }
}
