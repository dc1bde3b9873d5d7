package dev.weblocks.compare;

/** An engine does not do what it was asked for; the message is one line that says why. */
public final class EngineFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean late;

  private EngineFailure(String message, boolean late) {
    super(message);
    this.late = late;
  }

  /** A failure. */
  public EngineFailure(String message) {
    this(message, false);
  }

  /** The engine has not answered in time. */
  static EngineFailure late(String message) {
    return new EngineFailure(message, true);
  }

  /** Whether time was all that was missing. */
  boolean isLate() {
    return late;
  }

  /** The message. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
