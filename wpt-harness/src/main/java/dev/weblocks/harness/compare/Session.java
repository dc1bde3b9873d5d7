package dev.weblocks.harness.compare;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weblocks.harness.process.EngineFailure;
import java.time.Duration;

/** A process of an engine that carries out one command after the other. For one thread. */
public interface Session extends AutoCloseable {

  /** Returns the version that the engine reports. */
  String version();

  /**
   * Calls a function of a workload, and waits for its answer.
   *
   * @param call the name of the function
   * @param size the second argument of the function, after the engine's clock and agent functions
   * @throws EngineFailure if the function threw, the process has ended, or there was no answer
   *     within the bound; the session is unusable afterwards
   */
  JsonNode call(String workload, String call, int size, Duration bound)
      throws EngineFailure, InterruptedException;

  /** Collects garbage, if the engine supports that. */
  void collect(Duration bound) throws EngineFailure, InterruptedException;

  /** Returns the resident memory of the process and its descendants, in bytes. */
  long residentBytes() throws EngineFailure;

  /** Ends the process at once. */
  @Override
  void close();
}
