/**
 * Lock clusters for the command line: members in this process, and runs that disturb members,
 * holders and networks.
 */
@NullMarked
package dev.weblocks.harness.cluster;

import org.jspecify.annotations.NullMarked;
