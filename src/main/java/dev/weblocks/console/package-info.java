/**
 * The {@code console} namespace: what script writes to it, made into text and handed to {@link
 * dev.weblocks.global.Reports}.
 *
 * <p>{@code inspect.js} makes the texts; looking at a value runs no page code.
 *
 * @see <a href="https://console.spec.whatwg.org/">Console</a>
 */
@NullMarked
package dev.weblocks.console;

import org.jspecify.annotations.NullMarked;
