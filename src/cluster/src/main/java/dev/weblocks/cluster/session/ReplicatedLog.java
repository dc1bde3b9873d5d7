package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
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

  /**
   * Reads from the member that led last, without asking the others whether it still does: the
   * events are true, but the answer is no proof that the session lives. The others need not be
   * reachable, and are not disturbed.
   *
   * @return the answer; a failure if no member could be reached that takes itself for the leader
   */
  CompletableFuture<Reply> peek(Poll poll);
}
