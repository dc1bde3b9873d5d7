package dev.weblocks.explore;

import java.util.List;

/**
 * A step of a run, after its preparation.
 *
 * @param actor whose it is
 * @param what it did, in a few words
 * @param ready the names of all that had work
 * @param footprint what it shares with others
 * @param cause the number of the step, from 0, in which what it did was queued; negative for none
 * @param events what has happened in it, for people, a line each
 */
record Step(
    String actor,
    String what,
    List<String> ready,
    Footprint footprint,
    int cause,
    List<String> events) {}
