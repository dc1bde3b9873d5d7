package dev.weblocks.harness.stress;

import dev.weblocks.model.LockEntry;
import java.util.List;
import java.util.Map;

/**
 * The result of a kill run.
 *
 * @param killed number of agents that were killed, or ended themselves in the callback of a lock
 * @param survivors number of windows that acquired and released all of their locks and finished
 * @param lastSeen number of killed windows for each last activity, according to their console
 *     messages; in fixed order
 * @param duringSteps number of windows killed during a step, on the thread of that step
 * @param lockSteps number of steps of the lock task queue
 * @param grants number of granted locks
 * @param passedOn number of locks that were observed to pass from a killed agent to another
 * @param messages number of console messages of the agents
 * @param samples in order; the first one is after a warm-up, the last one after the last agent has
 *     ended; no agent is alive in either
 * @param realms number of reachable realms before the run and after its end
 * @param complaints problems found; empty if all is well
 * @param locks held and requested locks when the first complaint was handled; empty if all is well
 */
public record KillReport(
    int killed,
    int survivors,
    Map<String, Integer> lastSeen,
    int duringSteps,
    long lockSteps,
    long grants,
    int passedOn,
    long messages,
    List<Sample> samples,
    RealmCount realms,
    List<String> complaints,
    List<LockEntry> locks) {

  KillReport withRealms(RealmCount counted) {
    return new KillReport(
        killed,
        survivors,
        lastSeen,
        duringSteps,
        lockSteps,
        grants,
        passedOn,
        messages,
        samples,
        counted,
        complaints,
        locks);
  }

  /**
   * A sample of the state of the process.
   *
   * @param killed number of agents killed so far; in a {@link FramesRun}, of frames or navigations
   * @param alive number of windows that have not ended
   * @param heapBytes bytes in use after a garbage collection
   * @param threads number of live threads
   * @param realms number of reachable JavaScript realms of all contexts, including those retained
   *     only by an idle thread; -1 if unknown
   */
  public record Sample(int killed, int alive, long heapBytes, int threads, int realms) {}
}
