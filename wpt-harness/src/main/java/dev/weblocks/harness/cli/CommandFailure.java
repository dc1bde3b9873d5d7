package dev.weblocks.harness.cli;

/** Thrown when a command cannot do its work. The message is one line for the user. */
final class CommandFailure extends Exception {

  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message);
  }
}
