package dev.weblocks.messaging;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JavaScript value without its context: what {@code structured-clone.js} wrote, primitives only.
 * Immutable; any thread.
 */
public final class SerializedValue {

  private final List<@Nullable Object> items;

  SerializedValue(List<@Nullable Object> items) {
    this.items = Collections.unmodifiableList(items);
  }

  List<@Nullable Object> items() {
    return items;
  }
}
