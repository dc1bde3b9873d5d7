/**
 * Stress runs that observe the library from outside, through the public API alone: agents are
 * killed at random points while they contend for locks, and frames are created and removed.
 */
@NullMarked
package dev.weblocks.harness.stress;

import org.jspecify.annotations.NullMarked;
