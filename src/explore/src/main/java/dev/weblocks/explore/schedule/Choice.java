package dev.weblocks.explore.schedule;

/**
 * The choice of an actor at a {@link Point} of a run.
 *
 * @param onward whether it is the default choice, see {@link Point#onward()}
 * @param print a hash of the actors with work and their next steps, see {@link Point#print()}
 */
record Choice(int index, boolean onward, int print) {}
