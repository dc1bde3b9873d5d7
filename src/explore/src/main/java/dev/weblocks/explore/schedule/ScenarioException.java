package dev.weblocks.explore.schedule;

/** Thrown if a scenario cannot be explored. The message is one line. */
public final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScenarioException(String message) {
    super(message);
  }
}
