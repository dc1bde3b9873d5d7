package dev.weblocks.harness.explore;

/**
 * The choice at one point.
 *
 * @param index of the actor
 * @param onward whether it is the default choice, see {@link Point#onward()}
 * @param print hash of the options
 */
record Choice(int index, boolean onward, int print) {}
