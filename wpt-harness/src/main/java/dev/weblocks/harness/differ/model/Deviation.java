package dev.weblocks.harness.differ.model;

/** A change of the model, by which it repeats a known behaviour of an engine. */
public enum Deviation {
  /** The return value of a lock callback becomes a promise after the microtasks that follow it. */
  CONVERTS_AFTER_CHECKPOINT,
  /**
   * The promise of a request is resolved when the callback's promise settles, not by the manager.
   */
  RESOLVES_WITHOUT_MANAGER,
  /** The removal of the requests of an ended client does not process their queues. */
  ENDED_CLIENT_KEEPS_QUEUES,
  /** A callback of another realm is not called when the client of its request has ended. */
  ENDED_CLIENT_CALLS_NOTHING,
  /** A lock whose callback's document was removed is released, and its promise is rejected. */
  REMOVED_CALLBACK_RELEASES,
  /** A promise that a lock callback returns is not wrapped, and its constructor is read. */
  READS_CONSTRUCTOR,
  /** A worker that called {@code close()} still gets the answers of its lock requests. */
  CLOSED_WORKER_GETS_ANSWERS,
}
