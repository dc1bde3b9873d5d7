/**
 * The public API: a user agent, the drivers that run its agents, the ports that the embedder fills
 * (resources, console, errors), the locks of scripts for Java code, and what shows all this at work
 * (listener, metrics). The only package that the module exports.
 *
 * {@snippet file="dev/weblocks/embed/EmbeddingExampleTest.java" region="window"}
 */
@NullMarked
package dev.weblocks.embed;

import org.jspecify.annotations.NullMarked;
