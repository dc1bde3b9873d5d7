/**
 * Globals for a context that the embedder owns: their exposed interfaces, and the installation into
 * the global object of the context.
 */
@NullMarked
package dev.weblocks.installation;

import org.jspecify.annotations.NullMarked;
