/**
 * Replacements for the Python handlers of WPT's server, one small class or method for each, found
 * by path in {@link dev.weblocks.harness.wpt.handlers.Handlers}. Strings of requests and answers
 * have one char per byte.
 */
@NullMarked
package dev.weblocks.harness.wpt.handlers;

import org.jspecify.annotations.NullMarked;
