/**
 * The side of a user agent: a lock service whose lock managers are in a cluster. {@link
 * dev.weblocks.cluster.session.ReplicatedLog} and {@link dev.weblocks.cluster.session.ClusterTime}
 * are its ports.
 */
@NullMarked
package dev.weblocks.cluster.session;

import org.jspecify.annotations.NullMarked;
