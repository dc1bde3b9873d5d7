package dev.weblocks.harness.compare;

import dev.weblocks.harness.process.EngineFailure;
import java.time.Duration;
import java.util.List;

/** A runtime that workloads run in. */
public interface Engine {

  /** The engine name of Weblocks with the optimising compiler. */
  String OWN_JIT = "weblocks-jit";

  /** The engine name of Weblocks with the interpreter only. */
  String OWN_INTERPRETER = "weblocks";

  /** Returns a short name, unique among engines. */
  String name();

  /** Returns whether this engine is Weblocks. */
  default boolean isOwn() {
    return name().equals(OWN_JIT) || name().equals(OWN_INTERPRETER);
  }

  /** Returns whether the engine has this workload. */
  boolean canRun(Workload workload);

  /**
   * Starts a process.
   *
   * @throws EngineFailure if the process does not start, or the engine does not support locks
   */
  Session start() throws EngineFailure, InterruptedException;

  /**
   * Starts a process that requests one lock after the other, and ends the process.
   *
   * @param use the part before the last hyphen of the name of a workload of {@link
   *     Workload.Kind#USE}
   * @param seconds number of seconds that are measured, from 1
   * @return for each of these seconds, locks per second
   * @throws EngineFailure if the process did not report in time
   */
  List<Double> locksPerSecond(String use, int seconds) throws EngineFailure, InterruptedException;

  /**
   * Starts a process that acquires one lock, and ends the process.
   *
   * @return milliseconds until the process reported the lock
   * @throws EngineFailure if the process did not report the lock within the bound
   */
  double firstLock(Duration bound) throws EngineFailure, InterruptedException;
}
