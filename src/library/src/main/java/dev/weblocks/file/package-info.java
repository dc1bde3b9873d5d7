/**
 * The {@code Blob} and {@code File} interfaces, and the immutable byte sequences behind them.
 *
 * @see <a href="https://w3c.github.io/FileAPI/">File API</a>
 */
@NullMarked
package dev.weblocks.file;

import org.jspecify.annotations.NullMarked;
