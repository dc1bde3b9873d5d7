package dev.weblocks.harness.wpt;

import org.jspecify.annotations.Nullable;

/**
 * The result of one subtest.
 *
 * @param name as set by the test; may contain lone surrogates
 * @param message reason for not passing; null for none
 */
public record SubtestResult(String name, SubtestStatus status, @Nullable String message) {}
