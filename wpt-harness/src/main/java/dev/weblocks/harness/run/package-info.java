/**
 * Runs of scripts of the user as agents of one user agent, for {@code weblocks run}: a site that
 * serves them and the files in their directories, the end of the run, texts of errors, and the
 * prompt.
 */
@NullMarked
package dev.weblocks.harness.run;

import org.jspecify.annotations.NullMarked;
