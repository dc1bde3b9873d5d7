package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockInfo;
import dev.weblocks.lockmanager.message.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of some variants; {@link Variant} describes each. */
final class VariantRules implements LockRules {
  private final boolean settleBeforeGrant;
  private final boolean reentrant;
  private final boolean abortedStaysPending;
  private final boolean abortGrantsNothing;
  private final boolean endGrantsNothing;
  private final boolean queryOwnLocks;
  private final boolean ifAvailableJoinsQueue;

  /**
   * Makes the rules of compatible variants.
   *
   * @throws IllegalArgumentException if one of them needs another state machine
   */
  VariantRules(Set<Variant> variants) {
    if (variants.contains(Variant.EARLY_DRAFT)) {
      throw new IllegalArgumentException(
          "the variant early-draft has its own state machine; this one does not support it");
    }
    this.settleBeforeGrant = variants.contains(Variant.SETTLE_BEFORE_GRANT);
    this.reentrant = variants.contains(Variant.REENTRANT);
    this.abortedStaysPending = variants.contains(Variant.ABORTED_STAYS_PENDING);
    this.abortGrantsNothing = variants.contains(Variant.ABORT_GRANTS_NOTHING);
    this.endGrantsNothing = variants.contains(Variant.END_GRANTS_NOTHING);
    this.queryOwnLocks = variants.contains(Variant.QUERY_OWN_LOCKS);
    this.ifAvailableJoinsQueue = variants.contains(Variant.IF_AVAILABLE_JOINS_QUEUE);
  }

  @Override
  public boolean grantable(LockRequest request) {
    if (!reentrant) {
      return LockRules.super.grantable(request);
    }
    if (reenters(request)) {
      return true;
    }
    Chain.Link<LockRequest> first = request.queue.requests.first();
    return (first == null || first.item() == request) && isNotBlockedByLocks(request);
  }

  @Override
  public boolean misses(LockRequest request) {
    boolean joins = ifAvailableJoinsQueue && isNotBlockedByLocks(request);
    return !joins && !grantable(request);
  }

  /** Returns whether no held lock is in conflict with a request. */
  private boolean isNotBlockedByLocks(LockRequest request) {
    LockMode heldMode = reentrant ? strongestHeldMode(request.queue) : request.queue.heldMode();
    return heldMode == null || (heldMode == LockMode.SHARED && request.mode == LockMode.SHARED);
  }

  /**
   * Returns the mode of a name, null when it is free; with reentrant locks, an exclusive lock may
   * not be alone.
   */
  private static @Nullable LockMode strongestHeldMode(LockRequestQueue queue) {
    LockMode strongest = null;
    for (Chain.Link<HeldLock> link = queue.held.first(); link != null; link = link.next()) {
      strongest = link.item().mode;
      if (strongest == LockMode.EXCLUSIVE) {
        return strongest;
      }
    }
    return strongest;
  }

  /**
   * Returns whether the client of a request holds the name by a reentrant lock, and no lock of
   * another client is in conflict with the request.
   */
  private static boolean reenters(LockRequest request) {
    boolean mayEnter = false;
    Chain.Link<HeldLock> link = request.queue.held.first();
    for (; link != null; link = link.next()) {
      HeldLock lock = link.item();
      if (lock.client == request.client) {
        mayEnter |= lock.options.reentrant();
      } else if (request.mode == LockMode.EXCLUSIVE || lock.mode == LockMode.EXCLUSIVE) {
        return false;
      }
    }
    return mayEnter;
  }

  @Override
  public Chain.@Nullable Link<LockRequest> first(LockRequestQueue queue) {
    if (reentrant) {
      moveReenteringAhead(queue);
    }
    return queue.requests.first();
  }

  /** Moves the requests that reenter to the head of their queue, in the order of the queue. */
  private static void moveReenteringAhead(LockRequestQueue queue) {
    List<LockRequest> reentering = new ArrayList<>();
    for (Chain.Link<LockRequest> link = queue.requests.first(); link != null; link = link.next()) {
      if (reenters(link.item())) {
        reentering.add(link.item());
      }
    }
    for (LockRequest request : reentering.reversed()) {
      queue.requests.remove(request.inQueue);
      queue.requests.prepend(request.inQueue);
    }
  }

  @Override
  public boolean abortRemovesRequest() {
    return !abortedStaysPending;
  }

  @Override
  public boolean abortProcessesQueue(boolean clientEnded) {
    return !abortGrantsNothing && releaseProcessesQueue(clientEnded);
  }

  @Override
  public boolean releaseProcessesQueue(boolean clientEnded) {
    return !(clientEnded && endGrantsNothing);
  }

  @Override
  public boolean resolvesBeforeRelease() {
    return settleBeforeGrant;
  }

  @Override
  public LockManagerSnapshot visibleTo(ClientId client, LockManagerSnapshot snapshot) {
    return queryOwnLocks
        ? new LockManagerSnapshot(only(client, snapshot.held()), only(client, snapshot.pending()))
        : snapshot;
  }

  private static List<LockInfo> only(ClientId client, List<LockInfo> infos) {
    return infos.stream().filter(info -> info.clientId().equals(client.value())).toList();
  }
}
