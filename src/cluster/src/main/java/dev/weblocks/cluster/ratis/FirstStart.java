package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what the cluster knows of a member that has no log. Such a member must not vote if its
 * id has voted before: it could help to elect a leader that lacks entries.
 */
final class FirstStart {

  /** How long a member waits for a leader of others that have entries. */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long RETRY_MILLIS = 50;

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
   * @param isEmpty whether the folder is empty
   * @throws IOException if the cluster knows the id with other data, or cannot tell; the message
   *     says what to do
   */
  boolean isNewcomer(Path folder, boolean isEmpty) throws IOException {
    try {
      if (!othersHaveEntries()) {
        return false; // the first start of the cluster
      }
      Status status = status();
      if (status == null) {
        throw new IOException(
            ("the other members have data, but no leader that could tell whether the member '%s' is"
                    + " new; start more of them, and then this one")
                .formatted(id));
      }
      return isNewcomer(status, folder, isEmpty);
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
          ("the folder %s is empty, but the member '%s' has joined with data; start it with its"
                  + " folder, or give it a new id")
              .formatted(folder, id));
    }
    return members.stream().anyMatch(each -> !each.address().isEmpty())
        && members.stream().noneMatch(each -> each.id().equals(id));
  }

  private boolean othersHaveEntries() throws IOException, InterruptedException {
    List<CompletableFuture<Boolean>> answers =
        peers.addresses().keySet().stream()
            .filter(other -> !other.equals(id))
            .map(other -> {
              CompletableFuture<Boolean> answer = new CompletableFuture<>();
              Thread.ofVirtual()
                  .name("weblocks-cluster-first-start")
                  .start(() -> {
                    try {
                      answer.complete(log.hasEntries(other));
                    } catch (IOException | RuntimeException failed) {
                      answer.completeExceptionally(failed);
                    }
                  });
              return answer;
            })
            .toList();
    boolean found = false;
    for (CompletableFuture<Boolean> each : answers) {
      try {
        found |= each.get();
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof IOException refused
            ? refused
            : new IOException(failed.getCause());
      }
    }
    return found;
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
