package dev.weblocks.model;

import java.util.Objects;

/**
 * The first time that an agent reached one of the {@link dev.weblocks.model.Limits}.
 *
 * @param limit the limit
 * @param message its value and what happened, such as the message of the exception in script
 * @param agent the name of the agent, such as {@code window-1}; empty if Java code reached the
 *     limit
 */
public record LimitEvent(Limit limit, String message, String agent) {

  public LimitEvent {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(agent, "agent");
  }
}
