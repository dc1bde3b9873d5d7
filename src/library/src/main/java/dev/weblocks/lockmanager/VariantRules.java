package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules under a set of variants; {@link Variant} describes each variant. */
final class VariantRules implements LockRules {
  private final Set<Variant> variants;

  /**
   * Creates the rules of compatible variants.
   *
   * @throws IllegalArgumentException if one of them needs another state machine
   */
  VariantRules(Set<Variant> variants) {
    if (variants.contains(Variant.EARLY_DRAFT)) {
      throw new IllegalArgumentException(
          "the variant early-draft has its own state machine; this one does not support it");
    }
    this.variants = variants;
  }

  @Override
  public boolean grantable(LockRequest request) {
    if (!variants.contains(Variant.REENTRANT)) {
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
    boolean joins =
        variants.contains(Variant.IF_AVAILABLE_JOINS_QUEUE) && isNotBlockedByLocks(request);
    return !joins && !grantable(request);
  }

  /** Returns whether no held lock is in conflict with a request. */
  private boolean isNotBlockedByLocks(LockRequest request) {
    LockMode heldMode =
        variants.contains(Variant.REENTRANT)
            ? strongestHeldMode(request.queue)
            : request.queue.heldMode();
    return heldMode == null || (heldMode == LockMode.SHARED && request.mode == LockMode.SHARED);
  }

  /**
   * Returns exclusive if any held lock is exclusive, otherwise shared; null if the name is free.
   * With reentrant locks, other locks may be held together with an exclusive one.
   */
  private static @Nullable LockMode strongestHeldMode(LockRequestQueue queue) {
    LockMode strongest = null;
    for (Chain.Link<HeldLock> link = queue.held.first(); link != null; link = link.next()) {
      strongest = link.item().request.mode;
      if (strongest == LockMode.EXCLUSIVE) {
        return strongest;
      }
    }
    return strongest;
  }

  /**
   * Returns whether the client of a request holds the name with a reentrant lock, and no lock of
   * another client is in conflict with the request.
   */
  private static boolean reenters(LockRequest request) {
    boolean mayEnter = false;
    Chain.Link<HeldLock> link = request.queue.held.first();
    for (; link != null; link = link.next()) {
      LockRequest lock = link.item().request;
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
    if (variants.contains(Variant.REENTRANT)) {
      moveReenteringAhead(queue);
    }
    return queue.requests.first();
  }

  /** Moves requests that {@link #reenters reenter} a lock to the queue's head, in their order. */
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
    return !variants.contains(Variant.ABORTED_STAYS_PENDING);
  }

  @Override
  public boolean abortProcessesQueue(boolean clientEnded) {
    return !variants.contains(Variant.ABORT_GRANTS_NOTHING) && releaseProcessesQueue(clientEnded);
  }

  @Override
  public boolean releaseProcessesQueue(boolean clientEnded) {
    return !(clientEnded && variants.contains(Variant.END_GRANTS_NOTHING));
  }

  @Override
  public boolean resolvesBeforeRelease() {
    return variants.contains(Variant.SETTLE_BEFORE_GRANT);
  }

  @Override
  public LockManagerSnapshot visibleTo(ClientId client, LockManagerSnapshot snapshot) {
    return variants.contains(Variant.QUERY_OWN_LOCKS)
        ? new LockManagerSnapshot(only(client, snapshot.held()), only(client, snapshot.pending()))
        : snapshot;
  }

  private static List<LockInfo> only(ClientId client, List<LockInfo> infos) {
    return infos.stream().filter(info -> info.clientId().equals(client.value())).toList();
  }
}
