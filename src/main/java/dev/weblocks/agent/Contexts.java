package dev.weblocks.agent;

import org.graalvm.polyglot.Context;

/** What the engine does not tell directly. */
final class Contexts {

  private Contexts() {}

  /** Whether a context is what this thread entered last. */
  static boolean isCurrent(Context context) {
    try {
      return Context.getCurrent().equals(context);
    } catch (IllegalStateException none) {
      return false;
    }
  }
}
