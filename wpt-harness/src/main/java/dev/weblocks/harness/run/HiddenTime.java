package dev.weblocks.harness.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time for which the windows of a run are hidden, since its start.
 *
 * @param from null for the start itself
 * @param to null for the end of the run
 */
public record HiddenTime(@Nullable Duration from, @Nullable Duration to) {}
