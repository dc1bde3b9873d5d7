package dev.weblocks.agent;

/**
 * Something that a {@link Driver} runs in turns, one turn at a time: an event loop or a parallel
 * queue. A turn may run on any thread, never two at once.
 */
public interface Actor {

  /** Stands for "no deadline" in {@link #nextDeadline()}. */
  long NEVER = Long.MAX_VALUE;

  /** How traces call it; unique within its user agent. */
  String name();

  /**
   * What its next turn would do, in a few words, as traces have them; empty if it does not tell.
   * Called between turns only, by drivers that let a {@link Schedule} choose.
   */
  default String nextStep() {
    return "";
  }

  /**
   * Runs one unit of work: a task, or a step of a parallel queue. One that throws is used up all
   * the same; the driver goes on with the next.
   *
   * @return false when there was nothing to run
   */
  boolean runTurn();

  /** Whether a turn would find work now. Any thread. */
  boolean hasWork();

  /**
   * When a turn will find work if nothing else arrives, in {@link Clock#nanoTime()} terms; {@link
   * #NEVER} when never. Called between turns only.
   */
  long nextDeadline();
}
