package dev.weblocks.model;

/**
 * A listener for messages that script writes to the console. Called on threads of the driver; the
 * messages of each window or worker arrive in order. Must not block.
 */
@FunctionalInterface
public interface ConsoleListener {

  /** Reports that a message was written. */
  void message(ConsoleMessage message);

  /**
   * Reports that script called {@code console.clear()}; may be ignored.
   *
   * @param url the URL of the document or worker
   */
  default void cleared(String url) {}
}
