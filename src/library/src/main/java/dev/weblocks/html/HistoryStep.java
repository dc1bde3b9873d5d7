package dev.weblocks.html;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.TaskSource;

/** The steps that show the entries of a step of a session history. */
final class HistoryStep {

  private HistoryStep() {}

  /**
   * Makes a navigable and the frames below it show their entries of a step.
   *
   * @param by the settings of the document that causes it
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#apply-the-history-step">apply
   *     the history step</a>
   */
  static void applyHistoryStep(Navigable navigable, int step, EnvironmentSettings by) {
    SessionHistory history = navigable.traversable().history();
    SessionHistory.Entry active = history.active(navigable.entries());
    SessionHistory.Entry target = history.target(navigable.entries(), step);
    Window window = navigable.activeWindow();
    if (target == null || window == null) {
      return;
    }
    if (active == null || active.document != target.document) {
      Navigation.to(navigable, target, step, by).start();
      return;
    }
    navigable.stopTraversal();
    showEntry(window, target);
    window.children().forEach(child -> applyHistoryStep(child, step, by));
  }

  /** Makes a window show an entry of its document. */
  static void showEntry(Window window, SessionHistory.Entry entry) {
    Navigable navigable = window.navigable();
    if (navigable.traversable().history().activate(navigable.entries(), entry)) {
      window
          .realm()
          .queueTask(
              TaskSource.HISTORY_TRAVERSAL,
              "popstate",
              () -> window.history().restore(entry.url, entry.state));
    }
  }
}
