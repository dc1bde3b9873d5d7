/**
 * Apache Ratis as the engine: members with storage, and the log for clients. Only this package
 * depends on Ratis.
 */
@NullMarked
package dev.weblocks.cluster.ratis;

import org.jspecify.annotations.NullMarked;
