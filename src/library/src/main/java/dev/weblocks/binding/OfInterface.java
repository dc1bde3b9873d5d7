package dev.weblocks.binding;

/**
 * A platform object whose class implements several interfaces. All other classes implement exactly
 * one, so that the class decides.
 */
public interface OfInterface {

  /** Returns the name of the interface of this object; the same at each call. */
  String interfaceName();
}
