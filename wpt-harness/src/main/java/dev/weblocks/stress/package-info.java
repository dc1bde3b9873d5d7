/**
 * Runs that try the library hard and watch it from outside, through the public API alone: agents
 * that are killed at random points while they contend for locks.
 */
@NullMarked
package dev.weblocks.stress;

import org.jspecify.annotations.NullMarked;
