package dev.weblocks.harness.explore;

/**
 * The choice of an actor at one point.
 *
 * @param onward whether it is the default choice, see {@link Point#onward()}
 * @param print see {@link Point#print()}
 */
record Choice(int index, boolean onward, int print) {}
