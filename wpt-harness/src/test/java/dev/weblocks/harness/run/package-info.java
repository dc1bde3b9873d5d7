/** Tests of the runs of scripts. */
@NullMarked
package dev.weblocks.harness.run;

import org.jspecify.annotations.NullMarked;
