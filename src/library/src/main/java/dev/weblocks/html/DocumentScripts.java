package dev.weblocks.html;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The prepared scripts of one document that wait for execution.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/scripting.html#script-processing-model">HTML:
 *     processing model</a>
 */
final class DocumentScripts {

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#list-of-scripts-that-will-execute-when-the-document-has-finished-parsing">list
   * of scripts that will execute when the document has finished parsing</a>
   */
  private final Deque<HtmlScriptElement> whenParsed = new ArrayDeque<>();

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#list-of-scripts-that-will-execute-in-order-as-soon-as-possible">list
   * of scripts that will execute in order as soon as possible</a>
   */
  private final Deque<HtmlScriptElement> inOrder = new ArrayDeque<>();

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#pending-parsing-blocking-script">pending
   * parsing-blocking script</a>
   */
  private @Nullable HtmlScriptElement parsingBlocking;

  /** Called when a parser-blocking or deferred script is ready; a no-op without a parser. */
  private Runnable whenReady = () -> {};

  private Consumer<Runnable> guard = Runnable::run;

  /**
   * Connects the loader of the document.
   *
   * @param whenReady runs whenever a parser-blocking or deferred script is ready
   * @param guard runs the steps of script tasks and handles their failures
   */
  void parseWith(Runnable whenReady, Consumer<Runnable> guard) {
    this.whenReady = whenReady;
    this.guard = guard;
  }

  void guarded(Runnable steps) {
    guard.accept(steps);
  }

  void addWhenParsed(HtmlScriptElement script) {
    whenParsed.add(script);
  }

  void addInOrder(HtmlScriptElement script) {
    inOrder.add(script);
  }

  void setParsingBlocking(HtmlScriptElement script) {
    parsingBlocking = script;
  }

  boolean blocksParser() {
    return parsingBlocking != null;
  }

  void parserScriptIsReady() {
    whenReady.run();
  }

  /** Executes the script that the parser waits for, if it is ready. */
  void executeParsingBlocking() {
    HtmlScriptElement script = parsingBlocking;
    if (script != null && script.isReady()) {
      parsingBlocking = null;
      script.execute();
    }
  }

  /**
   * Executes the scripts that wait for the end of the parser, up to the first that is not ready.
   *
   * @return whether no such script is left
   */
  boolean executeWhenParsed() {
    HtmlScriptElement next;
    while ((next = whenParsed.peek()) != null && next.isReady()) {
      whenParsed.remove();
      next.execute();
    }
    return whenParsed.isEmpty();
  }

  void executeInOrder() {
    HtmlScriptElement next;
    while ((next = inOrder.peek()) != null && next.isReady()) {
      inOrder.remove();
      next.execute();
    }
  }
}
