package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** How long a member waits for a leader of others that have data. */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final long RETRY_MILLIS = 50;

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
   * Returns whether the cluster runs without the member.
   *
   * @param folder of the member
   * @param isEmpty whether it has no data, not even votes
   * @throws IOException if the id has joined with other data, that cannot be found out, or one of
   *     the others belongs to another cluster; the message says what to do
   */
  boolean isNewcomer(Path folder, boolean isEmpty) throws IOException {
    try {
      List<GroupInfoReply> others = othersWithData();
      if (others.isEmpty()) {
        return false; // the first start of the cluster
      }
      Status status = status();
      if (status != null) {
        return isNewcomer(status, folder, isEmpty);
      }
      if (!isEmpty) { // the others may need its vote to elect a leader
        return others.stream()
            .allMatch(each -> each.getGroup().getPeer(RaftPeerId.valueOf(id)) == null);
      }
      throw new IOException(
          ("the other members have data, but no leader that could tell whether the member '%s' is"
                  + " new; start more of them, and then this one")
              .formatted(id));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the member '" + id + "' starts");
    }
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

  private List<GroupInfoReply> othersWithData() throws IOException, InterruptedException {
    List<CompletableFuture<Optional<GroupInfoReply>>> answers = new ArrayList<>();
    for (String other : peers.addresses().keySet()) {
      if (!other.equals(id)) {
        CompletableFuture<Optional<GroupInfoReply>> answer = new CompletableFuture<>();
        answers.add(answer);
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
    List<GroupInfoReply> found = new ArrayList<>();
    for (CompletableFuture<Optional<GroupInfoReply>> each : answers) {
      try {
        each.get().filter(FirstStart::hasData).ifPresent(found::add);
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof IOException refused
            ? refused
            : new IOException(failed.getCause());
      }
    }
    return found;
  }

  private static boolean hasData(GroupInfoReply member) {
    LogInfoProto log = member.getLogInfoProto();
    return log.hasLastEntry() || log.hasLastSnapshot();
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
  private @Nullable Status status() throws InterruptedException {
    long deadline = System.nanoTime() + WAIT_NANOS;
    for (long left = WAIT_NANOS; left > 0; left = deadline - System.nanoTime()) {
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
