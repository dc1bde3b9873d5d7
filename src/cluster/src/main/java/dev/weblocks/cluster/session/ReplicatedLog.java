package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Reply;
import java.util.concurrent.CompletableFuture;

/**
 * The replicated log of a cluster, as its clients see it. Thread-safe. The futures complete on any
 * thread, with a reply only after the method has returned. Dependents must return soon.
 */
public interface ReplicatedLog {

  /**
   * Appends an entry.
   *
   * @return the reply of the machine when the entry was applied. If the future fails, the entry may
   *     have been applied, may be applied later, or never
   */
  CompletableFuture<Reply> append(Entry entry);

  /**
   * Reads from a member that leads at some moment between this call and the answer.
   *
   * @return the answer; a failure if no leader could be reached
   */
  CompletableFuture<Reply> read(Query query);
}
