/** Tests of the runs of scripts. */
@NullMarked
package dev.weblocks.run;

import org.jspecify.annotations.NullMarked;
