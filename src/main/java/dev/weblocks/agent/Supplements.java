package dev.weblocks.agent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What higher packages keep with a user agent, an agent or a realm: one object per class. It lets
 * the owner end with everything that belongs to it without knowing any of it.
 */
public final class Supplements {

  private final Map<Class<?>, Object> byType = new ConcurrentHashMap<>();

  Supplements() {}

  /** The object of that class, made by {@code factory} at the first call. */
  public <T> T get(Class<T> type, Supplier<? extends T> factory) {
    T found = find(type);
    if (found != null) {
      return found;
    }
    // not computeIfAbsent: a factory may ask for other supplements of the same owner
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

  /** The object of that class, or null when there is none. */
  public <T> @Nullable T find(Class<T> type) {
    return type.cast(byType.get(type));
  }

  /**
   * The object of that class.
   *
   * @throws IllegalStateException when there is none
   */
  public <T> T require(Class<T> type) {
    T found = find(type);
    if (found == null) {
      throw new IllegalStateException("no " + type.getSimpleName() + " was put here");
    }
    return found;
  }

  /** Forgets all. */
  void clear() {
    byType.clear();
  }

  /**
   * Keeps an object under its class.
   *
   * @throws IllegalStateException when there is one already
   */
  public <T> void put(Class<T> type, T supplement) {
    if (byType.putIfAbsent(type, supplement) != null) {
      throw new IllegalStateException("there is a " + type.getSimpleName() + " already");
    }
  }
}
