/** A lock cluster beside Curator on ZooKeeper: the same work, in turn. */
package dev.weblocks.bench.cluster;
