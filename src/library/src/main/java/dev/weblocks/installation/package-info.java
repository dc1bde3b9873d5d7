/**
 * Globals for a context that the embedder owns: the interfaces that such a realm exposes, and their
 * installation into a global object that remains the embedder's.
 */
@NullMarked
package dev.weblocks.installation;

import org.jspecify.annotations.NullMarked;
