/**
 * The {@code console} namespace. It converts logged values to text and sends the text to {@link
 * dev.weblocks.global.Reports}.
 *
 * <p>{@code inspect.js} makes the texts; inspecting a value runs no page code.
 *
 * @see <a href="https://console.spec.whatwg.org/">Console</a>
 */
@NullMarked
package dev.weblocks.console;

import org.jspecify.annotations.NullMarked;
