/**
 * Writes what user agents do into files: JSON lines, the Trace Event Format that Perfetto and
 * Chrome show, and a page with a timeline that needs nothing else.
 *
 * <p>{@link dev.weblocks.trace.TraceOutput} is one file, and {@link dev.weblocks.trace.Recording}
 * one user agent in it: a trace listener.
 */
@NullMarked
package dev.weblocks.trace;

import org.jspecify.annotations.NullMarked;
