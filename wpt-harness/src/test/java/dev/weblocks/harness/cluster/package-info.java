/** Tests of the trials of lock clusters. */
@NullMarked
package dev.weblocks.harness.cluster;

import org.jspecify.annotations.NullMarked;
