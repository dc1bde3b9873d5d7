package dev.weblocks.harness.explore;

import java.util.List;

/**
 * A step of a run, after its preparation.
 *
 * @param actor actor that took the step
 * @param what short description
 * @param ready names of all actors that had work
 * @param footprint shared state of the step
 * @param cause number of the step, from 0, that queued its task; negative for none
 * @param events events during the step, one line each, for users
 */
record Step(
    String actor,
    String what,
    List<String> ready,
    Footprint footprint,
    int cause,
    List<String> events) {}
