package dev.weblocks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/** A process of an engine, which carries out one command after the other. For one thread. */
public interface Session extends AutoCloseable {

  /** The version that the engine states. */
  String version();

  /**
   * Calls a function of a workload, and waits for its answer.
   *
   * @param call the name of the function
   * @param size its second argument, after the adapter
   * @return what it returned
   * @throws EngineFailure if it threw, the process has ended, or there was no answer within the
   *     bound; the session is of no use any more then
   */
  JsonNode call(String workload, String call, int size, Duration bound)
      throws EngineFailure, InterruptedException;

  /** Collects garbage, where the engine lets itself be asked. */
  void collect(Duration bound) throws EngineFailure, InterruptedException;

  /** The memory of the process, and of those that it has started, which is in RAM, in bytes. */
  long residentBytes() throws EngineFailure;

  /** Ends the process at once. */
  @Override
  void close();
}
