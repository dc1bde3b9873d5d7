package dev.weblocks.stress;

import dev.weblocks.embed.LockEntry;
import java.util.List;
import java.util.Map;

/**
 * What a killing run found.
 *
 * @param killed how many agents were killed, or ended themselves in the callback of a lock
 * @param survivors how many windows went through all of their locks and finished
 * @param lastSeen how many windows were killed at what, as their console tells; in fixed order
 * @param duringSteps how many windows were killed by the step that was under way, on its thread
 * @param lockSteps steps of the lock task queue
 * @param grants locks that were granted
 * @param passedOn locks of the dead that were seen to pass on
 * @param messages what the agents said
 * @param samples in order; the first one is after a warm-up, the last one after the end of the last
 *     agent, both without any agent alive
 * @param realms JavaScript realms that could be reached before, and when all had ended
 * @param complaints what went wrong; empty when all is well
 * @param locks who held and who waited when the first complaint was looked at; empty when all is
 *     well
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
   * One look at the process.
   *
   * @param killed how many agents were killed before
   * @param alive how many windows are alive
   * @param heapBytes in use after a collection
   * @param threads that live
   * @param realms JavaScript realms that can be reached, of whatever context, also those that only
   *     a resting thread keeps; -1 if that is unknown
   */
  public record Sample(int killed, int alive, long heapBytes, int threads, int realms) {}
}
