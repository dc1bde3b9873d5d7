package dev.weblocks.agent;

import org.graalvm.polyglot.Context;

/** Queries on contexts that the engine does not offer directly. */
final class Contexts {

  private Contexts() {}

  /** Returns whether a context is the one that this thread entered last. */
  static boolean isCurrent(Context context) {
    try {
      return Context.getCurrent().equals(context);
    } catch (IllegalStateException none) {
      return false;
    }
  }
}
