/**
 * The {@code console} namespace, which converts what script logs to text and sends it to {@link
 * dev.weblocks.global.Reports}.
 *
 * <p>{@code inspect.js} makes the texts; inspecting a value runs no page code.
 *
 * @see <a href="https://console.spec.whatwg.org/">Console</a>
 */
@NullMarked
package dev.weblocks.console;

import org.jspecify.annotations.NullMarked;
