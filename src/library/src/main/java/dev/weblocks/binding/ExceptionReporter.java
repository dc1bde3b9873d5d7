package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;

/**
 * The receiver of exceptions that script did not catch. Called before microtasks run.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception">report
 *     an exception</a>
 */
@FunctionalInterface
public interface ExceptionReporter {
  void reportException(Realm realm, Value exception);
}
