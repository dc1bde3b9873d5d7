/** Lock clusters for the command line: members in this process for a trial. */
@NullMarked
package dev.weblocks.harness.cluster;

import org.jspecify.annotations.NullMarked;
