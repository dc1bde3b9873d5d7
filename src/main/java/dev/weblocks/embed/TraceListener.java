package dev.weblocks.embed;

/** Sees every step that a user agent takes. Called on the thread that takes it; must not block. */
@FunctionalInterface
public interface TraceListener {
  void on(TraceEvent event);
}
