package dev.weblocks.html;

import dev.weblocks.agent.Freezable;
import dev.weblocks.dom.Event;

/**
 * The events of a document whose agent freezes and resumes. A frozen document is hidden.
 *
 * @see <a href="https://wicg.github.io/page-lifecycle/#change-frozenness-of-document">change the
 *     frozenness of a document</a>
 */
record PageLifecycle(Window window) implements Freezable {

  @Override
  public void hide() {
    window.updateVisibility(false);
  }

  @Override
  public void beforeFreeze() {
    fire("freeze");
  }

  @Override
  public void afterResume() {
    fire("resume");
  }

  @Override
  public void show() {
    window.showAgain();
  }

  private void fire(String type) {
    Document shown = window.documentOrNull();
    if (shown != null) { // else it could not be loaded
      shown.fire(new Event(window.realm(), type, false, false));
    }
  }
}
