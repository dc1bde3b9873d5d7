package dev.weblocks.harness.compare;

import java.time.Duration;

/** A runtime that workloads run in. */
public interface Engine {

  /** The name of an engine that is Weblocks on the optimising compiler. */
  String OWN_JIT = "weblocks-jit";

  /** The name of an engine that is Weblocks on the interpreter. */
  String OWN_INTERPRETER = "weblocks";

  /** Returns a short name, unique among engines. */
  String name();

  /** Returns whether it is Weblocks. */
  default boolean isOwn() {
    return name().equals(OWN_JIT) || name().equals(OWN_INTERPRETER);
  }

  /**
   * Starts a process.
   *
   * @throws EngineFailure if it does not start, or does not support locks
   */
  Session start() throws EngineFailure, InterruptedException;

  /**
   * Starts a process that takes one lock, and ends it.
   *
   * @return milliseconds until it reported the lock
   * @throws EngineFailure if it did not within the bound
   */
  double firstLock(Duration bound) throws EngineFailure, InterruptedException;
}
