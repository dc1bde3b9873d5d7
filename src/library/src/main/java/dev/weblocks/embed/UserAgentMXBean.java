package dev.weblocks.embed;

import java.util.List;

/**
 * A user agent for JMX consoles; see {@link UserAgent#mxBean()}. The attributes are those of {@link
 * Metrics}; each is current when it is read.
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

  long getTasks();

  /**
   * Returns the held locks and waiting requests, one line for each entry of {@link
   * UserAgent#locks()}.
   */
  List<String> getLocks();
}
