/**
 * Runs of scripts of the user as agents of one user agent, for {@code weblocks run}. Contains the
 * site that serves scripts and the files in their directories, texts of errors, and the prompt.
 */
@NullMarked
package dev.weblocks.harness.run;

import org.jspecify.annotations.NullMarked;
