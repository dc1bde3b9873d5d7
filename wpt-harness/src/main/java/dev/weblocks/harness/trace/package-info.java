/**
 * The actions of user agents as files: JSON lines, the Trace Event Format that Perfetto and Chrome
 * show, and a self-contained page with a timeline.
 *
 * <p>{@link dev.weblocks.harness.trace.TraceOutput} is one file, and {@link
 * dev.weblocks.harness.trace.Recording} the trace listener of one user agent in it.
 */
@NullMarked
package dev.weblocks.harness.trace;

import org.jspecify.annotations.NullMarked;
