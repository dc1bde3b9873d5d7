/**
 * The public API: a user agent, the drivers that run its agents, the interfaces that the embedder
 * implements (resources, console, errors), access of Java code to the locks of scripts, and
 * observation (listeners, metrics). The only package that the module exports.
 *
 * {@snippet file="dev/weblocks/embed/EmbeddingExampleTest.java" region="window"}
 */
@NullMarked
package dev.weblocks.embed;

import org.jspecify.annotations.NullMarked;
