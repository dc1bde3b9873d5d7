/**
 * Runs of web-platform-tests (WPT) in user agents of {@code dev.weblocks.embed}: discovery, an
 * in-memory replacement for WPT's server, one user agent per test, results and the report.
 *
 * <p>The course of a test: {@link dev.weblocks.harness.wpt.TestDiscovery} finds it, {@link
 * dev.weblocks.harness.wpt.TestRunner} opens its page in a {@link dev.weblocks.harness.wpt.Browser}
 * that loads from a {@link dev.weblocks.harness.wpt.WptServer}; the page posts its results to that
 * server, whose {@link dev.weblocks.harness.wpt.ResultCollector} stores them; {@code
 * dev.weblocks.harness.wpt.expect} judges the {@link dev.weblocks.harness.wpt.TestResult}.
 */
@NullMarked
package dev.weblocks.harness.wpt;

import org.jspecify.annotations.NullMarked;
