package dev.weblocks.harness.wpt.expect;

/** The reason for an {@link Entry}, by name or inline. */
sealed interface Because {

  /** The name of a reason in {@code reasons.json}; empty if the reason is still missing. */
  record Named(String name) implements Because {}

  record Inline(Reason reason) implements Because {}

  Because OPEN = new Named("");
}
