package dev.weblocks.explore;

/**
 * What was chosen at one point.
 *
 * @param index of the actor
 * @param onward whether that is what is chosen without a reason
 * @param print a number for what there was to choose from
 */
record Choice(int index, boolean onward, int print) {}
