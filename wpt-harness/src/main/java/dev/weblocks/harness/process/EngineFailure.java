package dev.weblocks.harness.process;

/** Thrown if an engine does not do what was requested. The message is one line with the reason. */
public final class EngineFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean late;

  private EngineFailure(String message, boolean late) {
    super(message);
    this.late = late;
  }

  /** Creates a failure. */
  public EngineFailure(String message) {
    this(message, false);
  }

  /** Creates a failure of an engine that was too slow. */
  public static EngineFailure late(String message) {
    return new EngineFailure(message, true);
  }

  /** Returns whether the engine was too slow, and may have succeeded with more time. */
  public boolean isLate() {
    return late;
  }

  /** Returns the message. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
