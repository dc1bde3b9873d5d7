package dev.weblocks.lockmanager.earlydraft;

/** The steps of the early draft that reach out of the state machine: the causes of effects. */
public enum DraftStep {
  /** A request that would not wait ends with a call of its callback with null. */
  REQUEST_MISSES("Algorithm: request a lock", "5.1"),
  /** A request whose signal was aborted has left the queue, and its promise is to be rejected. */
  REQUEST_ABORTS("Algorithm: request a lock", "7.4"),
  /** A request has become a lock, and its callback is to be called. */
  REQUEST_GRANTS("Algorithm: request a lock", "8.7"),
  /** A query is answered. */
  QUERY_RESOLVES("LockManager.prototype.queryState()", "4.8"),
  /** A lock was removed by force. */
  FORCE_REMOVES("LockManager.prototype.forceRelease(scope)", "5.1"),
  /** All locks of a forced release are removed; the draft stops here without a word. */
  FORCE_ENDS("LockManager.prototype.forceRelease(scope)", "5");

  private final String heading;
  private final String step;

  DraftStep(String heading, String step) {
    this.heading = heading;
    this.step = step;
  }

  /** Returns the heading in the early draft, such as "Algorithm: request a lock". */
  public String heading() {
    return heading;
  }

  /** Returns the path of the step below its heading, such as "8.7". */
  public String step() {
    return step;
  }

  /** Returns the step as traces show it. */
  @Override
  public String toString() {
    return "early draft, " + heading + ", step " + step;
  }
}
