package dev.weblocks.agent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects that higher packages attach to a user agent, an agent or a realm: at most one per
 * class. They are released with their owner, whose code does not depend on their classes.
 */
public final class Supplements {

  private final Map<Class<?>, Object> byType = new ConcurrentHashMap<>();

  Supplements() {}

  /** Returns the object of a class, made by {@code factory} at the first call. */
  public <T> T get(Class<T> type, Supplier<? extends T> factory) {
    T found = find(type);
    if (found != null) {
      return found;
    }
    // not computeIfAbsent: a factory may get other supplements of the same owner
    synchronized (this) {
      T raced = find(type);
      if (raced != null) {
        return raced;
      }
      T made = factory.get();
      byType.put(type, made);
      return made;
    }
  }

  /** Returns the object of a class; null if there is none. */
  public <T> @Nullable T find(Class<T> type) {
    return type.cast(byType.get(type));
  }

  /**
   * Returns the object of a class.
   *
   * @throws IllegalStateException if there is none
   */
  public <T> T require(Class<T> type) {
    T found = find(type);
    if (found == null) {
      throw new IllegalStateException(
          "no " + type.getSimpleName() + " is stored here; put one first");
    }
    return found;
  }

  void clear() {
    byType.clear();
  }

  /**
   * Stores an object under a class.
   *
   * @throws IllegalStateException if there is one already
   */
  public <T> void put(Class<T> type, T supplement) {
    if (byType.putIfAbsent(type, supplement) != null) {
      throw new IllegalStateException("a " + type.getSimpleName() + " is already stored here");
    }
  }
}
