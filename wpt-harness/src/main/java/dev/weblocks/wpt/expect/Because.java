package dev.weblocks.wpt.expect;

/** How an entry gives its reason. */
sealed interface Because {

  /** By its name in {@code reasons.json}; an empty name awaits one. */
  record Named(String name) implements Because {}

  /** Itself. */
  record Inline(Reason reason) implements Because {}

  /** Nobody has said it yet. */
  Because OPEN = new Named("");
}
