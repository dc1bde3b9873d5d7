/**
 * Runs tests of the web-platform-tests (WPT) in user agents of {@code dev.weblocks.embed}:
 * discovery, an in-memory replacement for WPT's server, one user agent per test, results and the
 * report.
 *
 * <p>The course of a test: {@link dev.weblocks.wpt.TestDiscovery} finds it, {@link
 * dev.weblocks.wpt.TestRunner} opens its page in a {@link dev.weblocks.wpt.Browser} that loads from
 * a {@link dev.weblocks.wpt.WptServer}; the page posts its results to that server, whose {@link
 * dev.weblocks.wpt.ResultCollector} stores them; {@code dev.weblocks.wpt.expect} judges the {@link
 * dev.weblocks.wpt.TestResult}.
 */
@NullMarked
package dev.weblocks.wpt;

import org.jspecify.annotations.NullMarked;
