package dev.weblocks.embed;

import java.util.List;

/**
 * A user agent for JMX consoles; see {@link UserAgent#mxBean()}. The attributes are those of {@link
 * Metrics}, each as it is when it is read.
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
   * Who holds and who waits for which lock now, a line each, as {@link UserAgent#locks()} has it.
   */
  List<String> getLocks();
}
