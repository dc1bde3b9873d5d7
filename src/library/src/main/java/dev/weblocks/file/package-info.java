/**
 * Blobs and files, the {@code Blob} and {@code File} interfaces: immutable byte sequences for
 * script.
 *
 * @see <a href="https://w3c.github.io/FileAPI/">File API</a>
 */
@NullMarked
package dev.weblocks.file;

import org.jspecify.annotations.NullMarked;
