package dev.weblocks.embed;

import java.util.List;
import java.util.Map;

/**
 * The view of a user agent for JMX consoles, see {@link UserAgent#mxBean()}. Its attributes are the
 * components of {@link Metrics}, current when they are read, and the locks.
 */
public interface UserAgentMXBean {

  long getRequests();

  long getGrants();

  long getMisses();

  long getSteals();

  long getAborts();

  long getReleases();

  int getHeld();

  int getPending();

  int getAgents();

  int getAbandonedAgents();

  long getTasks();

  int getFrames();

  int getTimers();

  int getConnections();

  int getWaitingConnections();

  /** Returns the counts by the name of the limit. */
  Map<String, Long> getLimitsReached();

  /**
   * Returns the held locks and waiting requests, one line for each entry of {@link
   * UserAgent#locks()}.
   */
  List<String> getLocks();
}
