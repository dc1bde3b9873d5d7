package dev.weblocks.cli;

/** The command cannot do its work; the message is one clear line for the user. */
final class CommandFailure extends Exception {

  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message);
  }
}
