/** Runs the scripts of the checkout as a user would, in folders of the test's own. */
@NullMarked
package dev.weblocks.harness.scripts;

import org.jspecify.annotations.NullMarked;
