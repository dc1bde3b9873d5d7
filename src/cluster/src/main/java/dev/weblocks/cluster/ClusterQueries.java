package dev.weblocks.cluster;

import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Query.Diagnose;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Diagnosis;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.Status;
import dev.weblocks.cluster.ratis.RatisLog;
import dev.weblocks.model.LockEntry;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The messages of the embedder to the cluster, which belong to no session. Each is repeated until
 * it is answered, as an election may be in progress.
 *
 * @param peers the members, for messages
 * @param isClosed whether no message is to be repeated any more
 */
record ClusterQueries(RatisLog log, SystemTime time, String peers, BooleanSupplier isClosed) {

  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** See {@link LockCluster#locks}. */
  CompletableFuture<List<LockEntry>> locks(String namespace) {
    return answered(() -> log.read(new Diagnose(namespace)))
        .thenApply(reply -> {
          Diagnosis diagnosis = expected(reply, Diagnosis.class);
          return diagnosis.states().stream()
              .map(state -> state.entry(diagnosis.nanoTime()))
              .toList();
        });
  }

  /** See {@link LockCluster#status}. */
  CompletableFuture<ClusterStatus> status() {
    return readStatus()
        .thenApply(status -> ClusterStatus.of(Objects.requireNonNull(log.leader()), status));
  }

  /** Reads the members and sessions from the leader. */
  CompletableFuture<Status> readStatus() {
    return answered(() -> log.read(new ReadStatus()))
        .thenApply(reply -> expected(reply, Status.class));
  }

  /** See {@link LockCluster#removeNamespace}. */
  CompletableFuture<Void> remove(RemoveNamespace entry) {
    return answered(() -> log.append(entry))
        .thenApply(reply -> {
          expected(reply, Done.class);
          return null;
        });
  }

  private CompletableFuture<Reply> answered(Supplier<CompletableFuture<Reply>> attempt) {
    CompletableFuture<Reply> result = new CompletableFuture<>();
    ask(attempt, System.nanoTime() + ASK_NANOS, result);
    return result;
  }

  private void ask(
      Supplier<CompletableFuture<Reply>> attempt, long deadline, CompletableFuture<Reply> result) {
    var unused =
        attempt
            .get()
            .whenComplete((reply, failure) -> {
              if (failure == null) {
                result.complete(reply);
              } else if (isClosed.getAsBoolean() || System.nanoTime() - deadline > 0) {
                result.completeExceptionally(
                    new IOException(
                        ("no leader of the lock cluster was reached within %s s at %s; start its"
                                + " members, or correct the addresses or the TLS files")
                            .formatted(TimeUnit.NANOSECONDS.toSeconds(ASK_NANOS), peers),
                        failure));
              } else {
                time.after(RETRY_NANOS, () -> ask(attempt, deadline, result));
              }
            });
  }

  private static <T extends Reply> T expected(Reply reply, Class<T> type) {
    if (reply instanceof Rejected rejected) {
      throw new CompletionException(new IOException(rejected.message()));
    }
    return type.cast(reply);
  }
}
