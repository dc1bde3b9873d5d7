package dev.weblocks.harness.explore;

/**
 * The choice at one point.
 *
 * @param onward whether it is the default choice, see {@link Point#onward()}
 */
record Choice(int index, boolean onward, int print) {}
