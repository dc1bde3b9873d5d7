package dev.weblocks.trace;

/** How the user knows agents and places in scripts. Any thread, once the recording is over. */
public interface Names {

  /** Agents and places as the user agent calls them. */
  Names PLAIN =
      new Names() {
        @Override
        public String agent(String agent, String url) {
          return agent;
        }

        @Override
        public String place(String place) {
          return place;
        }
      };

  /**
   * What an agent is called.
   *
   * @param agent its name, such as {@code window-1}
   * @param url of its document or script; empty if it is not known
   */
  String agent(String agent, String url);

  /** A place in a script, which is {@code url:line:column}, as it is shown. */
  String place(String place);
}
