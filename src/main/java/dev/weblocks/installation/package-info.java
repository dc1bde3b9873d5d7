/**
 * Globals for a context that the embedder owns: which interfaces there are in such a realm, and how
 * they get into a global object that stays the embedder's.
 */
@NullMarked
package dev.weblocks.installation;

import org.jspecify.annotations.NullMarked;
