package dev.weblocks.observe;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.TRACE;

import dev.weblocks.agent.Agent;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockTransition;
import java.time.Duration;
import java.util.Locale;

/**
 * The writer to three loggers of the JVM. {@code dev.weblocks.locks} gets stolen locks, and locks
 * and requests that end with their client, at DEBUG, and all other transitions at TRACE. {@code
 * dev.weblocks.agents} gets the beginning and end of each agent at DEBUG. {@code dev.weblocks} gets
 * exceptions of listeners at ERROR.
 */
final class LockLogger {
  private final System.Logger general = System.getLogger("dev.weblocks");
  private final System.Logger locks = System.getLogger("dev.weblocks.locks");
  private final System.Logger agents = System.getLogger("dev.weblocks.agents");

  boolean wantsTransitions() {
    try {
      return locks.isLoggable(DEBUG);
    } catch (RuntimeException | Error broken) { // a broken logger must not fail a lock step
      return false;
    }
  }

  void on(LockTransition transition) {
    try {
      write(transition);
    } catch (RuntimeException | Error broken) {
      // there is no other way to report it
    }
  }

  private void write(LockTransition transition) {
    boolean unusual = transition.clientEnded() || transition.kind() == LockTransition.Kind.STOLEN;
    System.Logger.Level level = unusual ? DEBUG : TRACE;
    if (locks.isLoggable(level)) {
      locks.log(level, text(transition));
    }
  }

  void begins(Agent agent) {
    write(agent.name() + " begins");
  }

  void ended(Agent agent, long nanos) {
    write(agent.name() + " has ended after " + Duration.ofNanos(nanos));
  }

  private void write(String aboutAgent) {
    try {
      agents.log(DEBUG, aboutAgent);
    } catch (RuntimeException | Error broken) {
      // there is no other way to report it
    }
  }

  void listenerFailed(Throwable failure) {
    try {
      general.log(ERROR, "a lock listener failed", failure);
    } catch (RuntimeException | Error broken) {
      // there is no other way to report it
    }
  }

  private static String text(LockTransition transition) {
    StringBuilder text = new StringBuilder();
    text.append(transition.kind().name().toLowerCase(Locale.ROOT));
    text.append(" '").append(visible(transition.name())).append("' ");
    text.append(transition.mode().idlValue());
    text.append(", request ").append(transition.id().sequence());
    LockRequester requester = transition.requester();
    text.append(" of ").append(visible(requester.agent())).append(' ');
    text.append(visible(requester.url()));
    text.append(", client ").append(transition.client().value());
    switch (transition.kind()) {
      case REQUESTED -> text.append(", ").append(waitMode(transition));
      case MISSED -> {}
      case GRANTED, ABORTED ->
          text.append(", waited ").append(Duration.ofNanos(transition.nanos()));
      case RELEASED, STOLEN -> text.append(", held ").append(Duration.ofNanos(transition.nanos()));
    }
    if (transition.thief() != null) {
      text.append(", by client ").append(transition.thief().value());
    }
    if (transition.clientEnded()) {
      text.append(", because its client ended");
    }
    return text.toString();
  }

  private static String waitMode(LockTransition transition) {
    return switch (transition.waitMode()) {
      case WAIT -> "waits";
      case IF_AVAILABLE -> "if available";
      case STEAL -> "steals";
    };
  }

  /**
   * Returns a text of script with control characters and line separators escaped, so that it cannot
   * forge another line of the log.
   */
  private static String visible(String text) {
    StringBuilder visible = new StringBuilder(text.length());
    text.chars()
        .forEach(c -> {
          if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
            visible.append(String.format(Locale.ROOT, "\\u%04x", c));
          } else {
            visible.append((char) c);
          }
        });
    return visible.toString();
  }
}
