package dev.weblocks.wpt;

import org.jspecify.annotations.Nullable;

/**
 * The result of one subtest.
 *
 * @param name as the test gave it; may hold lone surrogates
 * @param message why it did not pass; null when there is nothing to say
 */
public record SubtestResult(String name, SubtestStatus status, @Nullable String message) {}
