package dev.weblocks.model;

/** A listener for uncaught errors and defects. Called on threads of the driver; must not block. */
@FunctionalInterface
public interface ErrorListener {
  /** Reports an error that script did not handle, or a defect of this library. */
  void uncaught(UncaughtError error);
}
