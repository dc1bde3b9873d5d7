package dev.weblocks.harness.trace;

/**
 * The names of agents and places in scripts for users. Called on any thread, after the recording is
 * over.
 */
public interface Names {

  /** The names that the user agent itself uses. */
  Names PLAIN = new Names() {};

  /**
   * Returns the name of an agent for users.
   *
   * @param agent its name in the user agent, such as {@code window-1}
   * @param url of its document or script; empty if unknown
   */
  default String agent(String agent, String url) {
    return agent;
  }

  /** Returns a place in a script, {@code url:line:column}, as shown to users. */
  default String place(String place) {
    return place;
  }
}
