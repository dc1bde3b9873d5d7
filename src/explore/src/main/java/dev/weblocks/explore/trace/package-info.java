/**
 * The actions of user agents as files: JSON lines, the Trace Event Format that Perfetto and Chrome
 * show, and a self-contained page with a timeline.
 *
 * <p>{@link dev.weblocks.explore.trace.TraceOutput} is one file; {@link
 * dev.weblocks.explore.trace.Recording} is the trace listener that adds one user agent to it.
 */
@NullMarked
package dev.weblocks.explore.trace;

import org.jspecify.annotations.NullMarked;
