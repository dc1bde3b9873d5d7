package dev.weblocks.agent;

/**
 * The source of a task, which traces show. It has no effect on the order of tasks: {@link
 * EventLoop} runs all in order of arrival.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#task-source">HTML</a>
 */
public enum TaskSource {
  /** Scripts, documents and everything without a source of its own. */
  DOM_MANIPULATION("DOM manipulation"),
  FILE_READING("file reading"),
  HANDLE_FETCH("handle fetch"),
  HANDLE_FUNCTIONAL_EVENT("handle functional event"),
  HISTORY_TRAVERSAL("history traversal"),
  NETWORKING("networking"),
  POSTED_MESSAGE("posted message"),
  RENDERING("rendering"),
  STORAGE("storage"),
  TIMER("timer"),
  USER_INTERACTION("user interaction"),
  WEB_LOCKS("web locks");

  private final String label;

  TaskSource(String label) {
    this.label = label;
  }

  /** Returns the name that specifications use, without "task source". */
  public String label() {
    return label;
  }
}
