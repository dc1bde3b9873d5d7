package dev.weblocks.explore.schedule;

import java.util.List;

/**
 * A step of a run, after its preparation.
 *
 * @param cause number, from 0, of the step that queued the task; negative for none
 */
record Step(
    String actor,
    String what,
    List<String> ready,
    Footprint footprint,
    int cause,
    List<String> events) {}
