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
  /** A promise that a lock callback returns is not wrapped, and its constructor is not read. */
  USES_PROMISE_AS_IT_IS,
  /** The abort of a request whose callback has not run releases the lock at once. */
  ABORT_RELEASES_LOCK,
  /**
   * Callbacks, thefts and results of queries of each lock manager object are tasks of a source of
   * their own.
   */
  SEVERAL_LOCK_SOURCES,
  /**
   * No microtask checkpoint comes between the callbacks of a source, by {@link
   * #SEVERAL_LOCK_SOURCES}.
   */
  JOINS_LOCK_TASKS,
  /**
   * The first requests and queries of a realm reach the lock manager after a check of their own
   * each, and ignore the abort of their signal until then. Those that are made after the result of
   * the first check reach it at once.
   */
  CHECKS_ACCESS,
}
