package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Origin;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;

/**
 * The initial {@code about:blank} document of a frame or of a window that script has opened. The
 * document is available at once, in the agent of the window that makes it. The next document gets
 * the same window, if it has the same origin.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#creating-browsing-contexts">HTML</a>
 */
final class InitialDocument {

  static final UrlRecord BLANK = UrlParser.parseAbsolute("about:blank");

  private InitialDocument() {}

  /**
   * Creates the document, unless a sandbox gives it an opaque origin: then it needs another agent,
   * and only a navigation can create it. Called on the event loop of {@code maker}.
   */
  static void create(Navigable navigable, Window maker) {
    Sandboxing sandboxing = navigable.determineCreationSandboxingFlags();
    if (sandboxing.origin()) {
      return;
    }
    Origin origin = maker.realm().settings().origin();
    BrowsingContextGroup group = navigable.group();
    Agent agent;
    try {
      agent = group.obtainSimilarOriginWindowAgent(origin, true);
    } catch (IllegalStateException closed) {
      maker.realm().agent().terminate(); // it is about to end with the window
      return;
    }
    if (agent != maker.realm().agent()) { // the maker's agent is ending
      group.release(agent);
      return;
    }
    Navigation.Initiator initiator = maker.navigation().asInitiator();
    Window window =
        Navigation.createWindow(
            agent,
            group,
            navigable,
            Navigation.settings(
                navigable, agent.userAgent().ids().nextUuid(), BLANK, origin, initiator),
            sandboxing);
    Document document = Document.blank(window, BLANK);
    document.inheritBaseUrl(initiator.baseUrl());
    window.setInitialDocument(document);
    Traversable top = navigable.traversable();
    if (top.history().entryToRestore(navigable.entries()) == null) {
      SessionHistory.DocumentState state = new SessionHistory.DocumentState(initiator, null);
      top.commit(
          window,
          BLANK,
          new SessionHistory.Change(SessionHistory.Handling.REPLACE, null, -1, state));
    } else {
      navigable.activate(window);
    }
    window.runPreloadScripts();
  }
}
