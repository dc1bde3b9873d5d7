package dev.weblocks.harness.wpt.handlers;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Values that requests store for later requests, each under a path and a UUID. A value can be put
 * only where there is none. Taking a value removes it. Thread-safe.
 */
public final class Stash {

  private record Key(String path, String id) {}

  private final Map<Key, Object> values = new HashMap<>();

  private static Key key(String path, String id) {
    String digits = Ascii.lowerCase(id.replace("-", ""));
    if (!digits.matches("[0-9a-f]{32}")) {
      throw new IllegalArgumentException("the stash key '" + id + "' is not a UUID");
    }
    return new Key(path, digits);
  }

  synchronized void put(String path, String id, Object value) {
    if (values.putIfAbsent(key(path, id), value) != null) {
      throw new IllegalArgumentException("the stash already has a value for " + id);
    }
  }

  synchronized @Nullable Object take(String path, String id) {
    return values.remove(key(path, id));
  }

  /** Replaces a value atomically; the function receives null if there is none. */
  synchronized void update(String path, String id, UnaryOperator<@Nullable Object> change) {
    Key key = key(path, id);
    Object changed = change.apply(values.get(key));
    if (changed == null) {
      values.remove(key);
    } else {
      values.put(key, changed);
    }
  }
}
