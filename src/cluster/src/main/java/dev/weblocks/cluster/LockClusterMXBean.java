package dev.weblocks.cluster;

import java.util.Map;

/**
 * The view of a lock cluster for JMX consoles and monitoring systems, see {@link
 * LockCluster#mxBean()}. Its attributes are the components of {@link ClusterMetrics}, current when
 * they are read.
 */
public interface LockClusterMXBean {

  /** Returns the id of the leader; empty if there is none. */
  String getLeader();

  /** Returns the time since the last answer of the cluster, in milliseconds; -1 before it. */
  long getMillisSinceAnswer();

  int getCommandsInFlight();

  /**
   * Returns the time for which the locks of each user agent are valid without another answer, in
   * milliseconds, by its name; 0 without a session.
   */
  Map<String, Long> getLeaseLeftMillis();

  /** Returns whether the member of this JVM runs; false without one. */
  boolean isMemberRunning();

  /** Returns whether the member of this JVM leads; false without one. */
  boolean isLeading();

  /** Returns the term of the member of this JVM; -1 without one. */
  long getTerm();

  /** Returns the index of the last entry that the member of this JVM has applied; -1 for none. */
  long getAppliedIndex();

  /** Returns the committed entries that the member of this JVM has not applied; -1 without one. */
  long getLag();

  /**
   * Returns the commands of clients that the member of this JVM has refused because of a limit,
   * since it started; -1 without one.
   */
  long getRefusedCommands();

  /** Returns why the cluster has refused the member of this JVM; empty if it did not. */
  String getRefusal();
}
