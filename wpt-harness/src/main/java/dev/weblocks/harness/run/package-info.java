/**
 * Runs the user's scripts for {@code weblocks run}, each as an agent of one user agent. Contains
 * the prompt, the texts of errors, and the site that serves scripts and their files.
 */
@NullMarked
package dev.weblocks.harness.run;

import org.jspecify.annotations.NullMarked;
