/**
 * The {@code Blob} and {@code File} interfaces, the immutable byte sequences behind them, and
 * directories whose files script may read.
 *
 * @see <a href="https://w3c.github.io/FileAPI/">File API</a>
 */
@NullMarked
package dev.weblocks.file;

import org.jspecify.annotations.NullMarked;
