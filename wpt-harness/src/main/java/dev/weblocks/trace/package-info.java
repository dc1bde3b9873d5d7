/**
 * Writes the actions of user agents into files: JSON lines, the Trace Event Format that Perfetto
 * and Chrome show, and a self-contained page with a timeline.
 *
 * <p>{@link dev.weblocks.trace.TraceOutput} is one file, and {@link dev.weblocks.trace.Recording}
 * the trace listener of one user agent in it.
 */
@NullMarked
package dev.weblocks.trace;

import org.jspecify.annotations.NullMarked;
