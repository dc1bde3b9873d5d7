/** Rules for the sources of the harness and for the repository. */
@NullMarked
package dev.weblocks.harness.arch;

import org.jspecify.annotations.NullMarked;
