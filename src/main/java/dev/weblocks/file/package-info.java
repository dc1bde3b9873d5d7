/**
 * Blobs and files: immutable byte sequences that script can hand around, {@code Blob} and {@code
 * File}.
 *
 * @see <a href="https://w3c.github.io/FileAPI/">File API</a>
 */
@NullMarked
package dev.weblocks.file;

import org.jspecify.annotations.NullMarked;
