package dev.weblocks.embed;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of a script that {@link Window#evaluate(String)} has run: a snapshot that may be used
 * on any thread, even after the window has ended.
 *
 * @param value a {@link String} or {@link Boolean}; for a number an {@link Integer} if it fits,
 *     otherwise a {@link Double}; for a bigint a {@link java.math.BigInteger}; null for any other
 *     value
 * @param text the value as the console shows it, with strings in quotes; long texts are truncated,
 *     with a note of the omitted length
 * @param isUndefined whether the value is {@code undefined}
 */
public record EvaluatedValue(@Nullable Object value, String text, boolean isUndefined) {

  public EvaluatedValue {
    Objects.requireNonNull(text, "text");
  }
}
