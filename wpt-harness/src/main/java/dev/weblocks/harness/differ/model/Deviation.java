package dev.weblocks.harness.differ.model;

/** A change of the model, by which it repeats a known behaviour of an engine. */
public enum Deviation {
  /** The return value of a lock callback becomes a promise after the microtasks that follow it. */
  CONVERTS_AFTER_CHECKPOINT,
  /**
   * A reaction to the callback's promise resolves the promise of the request, in the same microtask
   * checkpoint. A task that follows the release of the lock would resolve it by the text.
   */
  RESOLVES_BY_REACTION,
  /** The removal of the requests of an ended client does not process their queues. */
  ENDED_CLIENT_KEEPS_QUEUES,
  /** A callback of another realm is not called when the client of its request has ended. */
  ENDED_CLIENT_CALLS_NOTHING,
  /** A lock whose callback's document was removed is released, and its promise is rejected. */
  REMOVED_CALLBACK_RELEASES,
  /** A promise that a lock callback returns is not wrapped, and its constructor is read. */
  READS_CONSTRUCTOR,
  /** Tasks of the agent run inside the call that opens a window. */
  OPEN_RUNS_TASKS,
  /**
   * A promise that a lock callback returns is not wrapped, and its constructor is not read. What a
   * callback without a lock returns resolves the promise of the request itself.
   */
  USES_PROMISE_AS_IT_IS,
  /** The abort of a request whose callback has not run releases the lock at once. */
  ABORT_RELEASES_LOCK,
  /**
   * The callbacks and the results of queries of each lock manager object are tasks of a source of
   * their own, and so are the thefts.
   */
  SEVERAL_LOCK_SOURCES,
  /**
   * The steps of each lock manager object reach the lock manager over a connection of their own, in
   * their order. Steps of other objects and other actions of the agent overtake them.
   */
  SEVERAL_CONNECTIONS,
  /**
   * No microtask checkpoint comes between the callbacks and thefts of a lock manager object, by
   * {@link #SEVERAL_LOCK_SOURCES}.
   */
  JOINS_LOCK_TASKS,
  /**
   * The first requests and queries of a realm reach the lock manager after a check of their own
   * each, and ignore the abort of their signal until then. Those that are made after the result of
   * the first check reach it at once.
   */
  CHECKS_ACCESS;

  /** Returns whether the model has more possible next steps with this deviation. */
  public boolean addsChoices() {
    return switch (this) {
      case SEVERAL_LOCK_SOURCES,
          JOINS_LOCK_TASKS,
          CHECKS_ACCESS,
          SEVERAL_CONNECTIONS,
          OPEN_RUNS_TASKS ->
          true;
      default -> false;
    };
  }
}
