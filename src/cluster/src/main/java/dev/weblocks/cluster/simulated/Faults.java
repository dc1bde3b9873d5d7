package dev.weblocks.cluster.simulated;

/**
 * How often the schedule may choose each fault.
 *
 * @param losses of a message
 * @param repetitions of a message that was not lost
 * @param overtakings of a message by the others of its connection
 * @param leaders that lose their office
 * @param restarts of a member from a snapshot
 * @param delays of everything, by a tenth of a lease each; messages that were lost cause further
 *     ones
 * @param pauses of everything while a lock is held, by a whole lease each
 */
public record Faults(
    int losses,
    int repetitions,
    int overtakings,
    int leaders,
    int restarts,
    int delays,
    int pauses) {

  /** No fault at all. */
  public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0);

  /** A few of each. */
  public static final Faults SOME = new Faults(4, 4, 4, 3, 3, 12, 1);
}
