package dev.weblocks.cluster;

/**
 * The treatment of script that has a lock when its session is lost. Java code learns of the loss
 * from {@link dev.weblocks.embed.HeldLock#lost}, with each policy.
 */
public enum LossPolicy {
  /** The promise of the request rejects with an {@code AbortError}, and the agent continues. */
  ABORT,

  /**
   * The agent ends as soon as the loss is noticed, even in the middle of its script, with all its
   * documents and workers. For script that would continue to act as if it had the lock. Script in a
   * context of the embedder is not stopped, but its agent ends after the current call.
   */
  TERMINATE
}
