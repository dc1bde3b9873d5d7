package dev.weblocks.embed;

/**
 * Hears what script writes to the console. Called on threads of the driver, in the order in which a
 * window or worker writes; must not block.
 */
@FunctionalInterface
public interface ConsoleListener {

  /** A message was written. */
  void message(ConsoleMessage message);

  /**
   * Script called {@code console.clear()}; nothing needs to happen.
   *
   * @param url of the document or worker
   */
  default void cleared(String url) {}
}
