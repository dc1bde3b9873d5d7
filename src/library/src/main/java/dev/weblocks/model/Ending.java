package dev.weblocks.model;

/** The way in which the script of a window, worker or installation has ended. */
public enum Ending {

  /** No script of it runs any more. In a context of the embedder, no turn of it runs. */
  STOPPED,

  /**
   * Script of it did not stop within {@link Limits#endLimit()} and was cut off. It may still occupy
   * a thread, but none of its calls has an effect outside of its context.
   */
  CUT_OFF
}
