package dev.weblocks.harness.explore;

import java.util.List;

/**
 * A step of a run, after its preparation.
 *
 * @param cause number of the step, from 0, that queued its task; negative for none
 */
record Step(
    String actor,
    String what,
    List<String> ready,
    Footprint footprint,
    int cause,
    List<String> events) {}
