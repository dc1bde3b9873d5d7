/**
 * Runs the user's scripts for {@code weblocks run}, each as an agent of one user agent. Contains
 * the site that serves scripts and their files, error texts, and the prompt.
 */
@NullMarked
package dev.weblocks.harness.run;

import org.jspecify.annotations.NullMarked;
