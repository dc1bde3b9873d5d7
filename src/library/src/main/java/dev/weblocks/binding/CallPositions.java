package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The positions of calls that pass a callback, by the function literal of the callback. A literal
 * within the call stands for that call, so the stack is walked once for each literal. Used on the
 * event loop.
 */
public final class CallPositions {

  private static final int MAX_LITERALS = 1000; // a page can make any number by eval()

  private final Agent agent;
  private final Value internalFunction;
  private final Map<SourceSection, String> byLiteral =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SourceSection, String> eldest) {
          return size() > MAX_LITERALS;
        }
      };

  CallPositions(Agent agent, Value internalFunction) {
    this.agent = agent;
    this.internalFunction = internalFunction;
  }

  /**
   * Returns the position of the page code that calls and passes a callback, as {@code
   * url:line:column}; null if there is none. If the callback is not written in the call itself, its
   * own position is returned. Walks the stack only at the first call with the callback's literal,
   * or if the callback is null.
   */
  public @Nullable String of(@Nullable Value callback) {
    SourceSection literal = callback == null ? null : callback.getSourceLocation();
    if (literal == null || CallStack.isHidden(literal.getSource())) {
      SourceSection call = CallStack.innermost(agent, internalFunction);
      return call == null ? null : CallStack.place(call);
    }
    String known = byLiteral.get(literal);
    if (known == null) {
      SourceSection call = CallStack.innermost(agent, internalFunction);
      known = CallStack.place(call != null && contains(call, literal) ? call : literal);
      byLiteral.put(literal, known);
    }
    return known;
  }

  private static boolean contains(SourceSection call, SourceSection literal) {
    return call.getSource().equals(literal.getSource())
        && call.getCharIndex() <= literal.getCharIndex()
        && literal.getCharEndIndex() <= call.getCharEndIndex();
  }
}
