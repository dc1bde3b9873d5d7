/**
 * A cluster inside a deterministic driver: the network, the members and the clocks are actors, so
 * the schedule decides about delays, losses, leaders and pauses. It covers the machine and the
 * sessions, which are ours, and not Ratis: the log itself is always right here.
 */
@NullMarked
package dev.weblocks.cluster.simulated;

import org.jspecify.annotations.NullMarked;
