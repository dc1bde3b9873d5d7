/**
 * Browsers as engines of {@code weblocks differ}.
 *
 * <p>A server on the loopback interface gives each program an origin of its own, a host below
 * {@code weblocks.localhost}. All these origins are of one site, so that a browser needs few
 * processes. The engine keeps some windows open, and loads one program after the other into each.
 */
@NullMarked
package dev.weblocks.harness.differ.browser;

import org.jspecify.annotations.NullMarked;
