package dev.weblocks.embed;

/**
 * A listener for errors that script did not handle. Called on threads of the driver; must not
 * block.
 */
@FunctionalInterface
public interface ErrorListener {
  void uncaught(UncaughtError error);
}
