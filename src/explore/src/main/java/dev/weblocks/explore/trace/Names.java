package dev.weblocks.explore.trace;

/**
 * The display names of agents and of places in scripts. Called on any thread, after the recording
 * is over.
 */
public interface Names {

  /** The names that the user agent itself uses. */
  Names PLAIN = new Names() {};

  /**
   * Returns the display name of an agent.
   *
   * @param agent its name in the user agent, such as {@code window-1}
   * @param url the URL of its document or script; empty if unknown
   */
  default String agent(String agent, String url) {
    return agent;
  }

  /**
   * Returns the display name of a place in a script, which has the form {@code url:line:column}.
   */
  default String place(String place) {
    return place;
  }
}
