/**
 * Globals for a context that the embedder owns: the interfaces that are exposed there, and their
 * installation into the global object of the embedder.
 */
@NullMarked
package dev.weblocks.installation;

import org.jspecify.annotations.NullMarked;
