/**
 * Web Locks across JVMs: {@link dev.weblocks.cluster.LockCluster} is a backend for the locks of
 * user agents. It replicates the lock managers of the library on Apache Ratis.
 */
@NullMarked
package dev.weblocks.cluster;

import org.jspecify.annotations.NullMarked;
