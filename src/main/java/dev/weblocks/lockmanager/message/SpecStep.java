package dev.weblocks.lockmanager.message;

/** The steps of the draft that reach out of the lock task queue: the causes of effects. */
public enum SpecStep {
  /** A steal rejects the released promise of the lock it took away. */
  REQUEST_REJECTS_STOLEN("4.1", "request a lock", "3.4.1.1.2", "algorithm-request-lock"),
  /** A request that would not wait ends with a call of its callback with null. */
  REQUEST_MISSES("4.1", "request a lock", "3.5.1", "algorithm-request-lock"),
  /** A request has become a lock, and its callback is to be called. */
  QUEUE_GRANTS("4.4", "process the lock request queue", "2.14", "algorithm-process-request"),
  /** A waiting promise has settled, the lock is released, the released promise follows. */
  RELEASED_RESOLVES("2.4", "waiting promise settles", "2", "concept-lock"),
  /** A query is answered. */
  SNAPSHOT_RESOLVES("4.5", "snapshot the lock state", "6", "algorithm-snapshot-state");

  private static final String DRAFT = "https://www.w3.org/TR/2025/WD-web-locks-20250924/";

  private final String section;
  private final String algorithm;
  private final String step;
  private final String anchor;

  SpecStep(String section, String algorithm, String step, String anchor) {
    this.section = section;
    this.algorithm = algorithm;
    this.step = step;
    this.anchor = anchor;
  }

  /** Returns the section's number, such as "4.1". */
  public String section() {
    return section;
  }

  /** Returns the algorithm's name in the draft's words. */
  public String algorithm() {
    return algorithm;
  }

  /** Returns the path of the step within its algorithm, such as "3.4.1.1.2". */
  public String step() {
    return step;
  }

  /** Returns the absolute URL of the section in the pinned draft. */
  public String link() {
    return DRAFT + "#" + anchor;
  }

  /** Returns the step as traces show it, such as "4.1 request a lock, step 3.4.1.1.2". */
  @Override
  public String toString() {
    return section + " " + algorithm + ", step " + step;
  }
}
