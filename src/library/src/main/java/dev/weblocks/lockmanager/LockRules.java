package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the lock managers, as far as variants can change them. The default methods implement
 * the Working Draft. Stateless: a decision depends on the lock state alone.
 */
interface LockRules {

  /** The rules of the Working Draft. */
  LockRules DRAFT = new LockRules() {};

  /**
   * Returns the rules under the given variants.
   *
   * @throws IllegalArgumentException if two of them exclude each other, or one is the early draft
   */
  static LockRules of(Set<Variant> variants) {
    Set<Variant> checked = Variant.requireCompatible(variants);
    return checked.isEmpty() ? DRAFT : new VariantRules(checked);
  }

  /** Returns whether a request can become a lock now. */
  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#grantable
  default boolean grantable(LockRequest request) {
    LockRequestQueue queue = request.queue; // 1 to 4
    LockMode heldMode = queue.heldMode(); // 5
    Chain.Link<LockRequest> first = queue.requests.first();
    if (first != null && first.item() != request) { // 7
      return false;
    }
    return switch (request.mode) { // 6
      case EXCLUSIVE -> heldMode == null; // 8
      case SHARED -> heldMode != LockMode.EXCLUSIVE; // 9
    };
  }

  /** Returns whether an {@code ifAvailable} request fails now instead of waiting. */
  default boolean misses(LockRequest request) {
    return !grantable(request);
  }

  /** Returns the request that is checked next for a grant; null if the queue is empty. */
  default Chain.@Nullable Link<LockRequest> first(LockRequestQueue queue) {
    return queue.requests.first();
  }

  default boolean abortRemovesRequest() {
    return true;
  }

  default boolean abortProcessesQueue(boolean clientEnded) {
    return true;
  }

  default boolean releaseProcessesQueue(boolean clientEnded) {
    return true;
  }

  default boolean resolvesBeforeRelease() {
    return false;
  }

  /** Returns the part of a snapshot that a client gets as its answer. */
  default LockManagerSnapshot visibleTo(ClientId client, LockManagerSnapshot snapshot) {
    return snapshot;
  }
}
