package dev.weblocks.cluster.ratis;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.proto.RaftProtos.LogInfoProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what the cluster knows of a member without a configuration. One whose id has voted
 * before, but whose data is lost, must not vote: it could help to elect a leader that lacks
 * entries.
 */
final class FirstStart {

  /** How a member takes part. */
  enum Part {
    /** With the configuration: it votes. */
    VOTER,
    /** Without a configuration, until it is added. */
    NEWCOMER,
    /** Without a configuration, until the others have answered. */
    UNDECIDED
  }

  private static final System.Logger LOG = System.getLogger("dev.weblocks.cluster");

  /** How long a member waits for a leader of others that have data, before its server runs. */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** The same while its server runs; then it sends its questions again. */
  private static final long LATER_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long RETRY_MILLIS = 50;

  /** The pause between two rounds of questions. */
  private static final long ROUND_MILLIS = 100;

  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** The questions to a member that can be reached, but does not answer. */
  private static final int ATTEMPTS = 3;

  private final Peers peers;
  private final String id;
  private final RatisLog log;

  FirstStart(Peers peers, String id, RatisLog log) {
    this.peers = peers;
    this.id = id;
    this.log = log;
  }

  /**
   * Returns how the member takes part, as far as the others can tell now.
   *
   * @param folder of the member
   * @param isEmpty whether it has no data, not even votes
   * @throws IOException if the id has joined with other data, that cannot be found out, or one of
   *     the others belongs to another cluster; the message says what to do
   */
  Part decide(Path folder, boolean isEmpty) throws IOException {
    try {
      Answers answers = askOthers();
      Part part = decide(answers, folder, isEmpty, WAIT_NANOS);
      if (part == Part.UNDECIDED && !answers.withData.isEmpty()) {
        throw new IOException(
            ("the other members have data, but no leader that could tell whether the member '%s' is"
                    + " new; start more of them, and then this one")
                .formatted(id));
      }
      return part;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the member '" + id + "' starts");
    }
  }

  /**
   * Waits until the others can tell how the member without data takes part. Logs why it waits.
   *
   * @throws IOException as {@link #decide}
   */
  Part await(Path folder) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    String logged = "";
    while (true) {
      Thread.sleep(ROUND_MILLIS);
      Answers answers = askOthers();
      Part part = decide(answers, folder, /* isEmpty= */ true, LATER_WAIT_NANOS);
      if (part != Part.UNDECIDED) {
        if (!logged.isEmpty()) {
          LOG.log(INFO, "the member ''{0}'' has reached the others", id);
        }
        return part;
      }
      String reason = answers.reason();
      if (System.nanoTime() - begin > SILENT_NANOS && !reason.equals(logged)) {
        LOG.log(WARNING, "the member ''{0}'' waits: {1}", id, reason);
        logged = reason;
      }
    }
  }

  private Part decide(Answers answers, Path folder, boolean isEmpty, long waitNanos)
      throws IOException, InterruptedException {
    if (!answers.withData.isEmpty()) {
      Status status = status(waitNanos);
      if (status != null) {
        return isNewcomer(status, folder, isEmpty) ? Part.NEWCOMER : Part.VOTER;
      }
      if (isEmpty) {
        return Part.UNDECIDED;
      }
      // the others may need its vote to elect a leader
      return answers.withData.values().stream()
              .allMatch(each -> each.getGroup().getPeer(RaftPeerId.valueOf(id)) == null)
          ? Part.NEWCOMER
          : Part.VOTER;
    }
    // entries are stored by a majority: if a majority is empty, the cluster is new
    return !isEmpty || answers.empty + 1 > peers.addresses().size() / 2
        ? Part.VOTER
        : Part.UNDECIDED;
  }

  private boolean isNewcomer(Status status, Path folder, boolean isEmpty) throws IOException {
    if (status.removed().contains(id)) {
      throw new IOException(
          "the member '" + id + "' was removed from the cluster; give the new one a new id");
    }
    List<MemberStatus> members = status.members();
    if (isEmpty && members.stream().anyMatch(each -> each.id().equals(id) && each.version() > 0)) {
      throw new IOException(
          ("the folder %s has no data, but the member '%s' has joined with data; start it with its"
                  + " folder, or give it a new id")
              .formatted(folder, id));
    }
    return members.stream().anyMatch(each -> !each.address().isEmpty())
        && members.stream().noneMatch(each -> each.id().equals(id));
  }

  /**
   * The answers of the other members.
   *
   * @param empty the number of those without entries and snapshots
   * @param silent the ids of those that have not answered
   */
  private record Answers(Map<String, GroupInfoReply> withData, int empty, List<String> silent) {

    private String reason() {
      if (withData.isEmpty()) {
        return "%s %s not answer; it takes part when most members have answered"
            .formatted(String.join(", ", silent), silent.size() == 1 ? "does" : "do");
      }
      return "%s %s data, but no leader answers; start more members"
          .formatted(String.join(", ", withData.keySet()), withData.size() == 1 ? "has" : "have");
    }
  }

  private Answers askOthers() throws IOException, InterruptedException {
    Map<String, CompletableFuture<Optional<GroupInfoReply>>> answers = new LinkedHashMap<>();
    for (String other : peers.addresses().keySet()) {
      if (!other.equals(id)) {
        CompletableFuture<Optional<GroupInfoReply>> answer = new CompletableFuture<>();
        answers.put(other, answer);
        Thread.ofVirtual()
            .name("weblocks-cluster-first-start")
            .start(() -> {
              try {
                answer.complete(Optional.ofNullable(ask(other)));
              } catch (Throwable failed) { // each answer is waited for
                answer.completeExceptionally(failed);
              }
            });
      }
    }
    Map<String, GroupInfoReply> withData = new LinkedHashMap<>();
    List<String> silent = new ArrayList<>();
    for (var each : answers.entrySet()) {
      try {
        GroupInfoReply answer = each.getValue().get().orElse(null);
        if (answer == null) {
          silent.add(each.getKey());
        } else if (hasData(answer)) {
          withData.put(each.getKey(), answer);
        }
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof IOException refused
            ? refused
            : new IOException(failed.getCause());
      }
    }
    int empty = answers.size() - withData.size() - silent.size();
    return new Answers(withData, empty, silent);
  }

  /** A member that closes has no log any more, but still knows what it has applied. */
  private static boolean hasData(GroupInfoReply member) {
    LogInfoProto log = member.getLogInfoProto();
    return log.hasLastEntry()
        || log.hasLastSnapshot()
        || (log.hasApplied() && log.getApplied().getIndex() >= 0);
  }

  private @Nullable GroupInfoReply ask(String other) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        return log.ask(other);
      } catch (GroupMismatchException foreign) {
        throw new IOException(peers.foreignMember(other), foreign);
      } catch (IOException silent) {
        // it may be slow
      }
    }
    return null;
  }

  /** Returns the state of the cluster; null if no leader answers in time. */
  private @Nullable Status status(long waitNanos) throws InterruptedException {
    long deadline = System.nanoTime() + waitNanos;
    for (long left = waitNanos; left > 0; left = deadline - System.nanoTime()) {
      try {
        if (log.read(new ReadStatus()).get(left, TimeUnit.NANOSECONDS) instanceof Status status) {
          return status;
        }
      } catch (ExecutionException electing) {
        // the next one, or later
      } catch (TimeoutException silent) {
        return null;
      }
      Thread.sleep(RETRY_MILLIS);
    }
    return null;
  }
}
