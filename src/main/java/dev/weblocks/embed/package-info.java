/**
 * The public API: a user agent, the drivers that run its agents, and the ports that the embedder
 * fills (resources, console, errors). The only package that the module exports.
 */
@NullMarked
package dev.weblocks.embed;

import org.jspecify.annotations.NullMarked;
