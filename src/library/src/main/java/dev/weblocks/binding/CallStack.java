package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The stack traces of page code, taken from the engine. Script can only make an Error and read its
 * stack, in ways that a page can change, such as {@code Error.stackTraceLimit}.
 */
public final class CallStack {

  private static final int MAX_FRAMES = 50;

  /** The prefix of the paths of modules that are hidden from stacks. */
  public static final String HIDDEN = "weblocks-";

  private CallStack() {}

  /**
   * Returns the frames as lines, the innermost first; empty if no page code is being called. On the
   * event loop of the agent.
   */
  public static String current(Agent agent, Value internalFunction) {
    return text(thrown(agent, internalFunction));
  }

  /**
   * Returns the names of the scripts of the frames, the innermost first. On the event loop of the
   * agent.
   */
  public static List<String> scripts(Agent agent, Value internalFunction) {
    return pageFrames(thrown(agent, internalFunction))
        .map(frame -> nameOf(frame.getSourceLocation().getSource()))
        .toList();
  }

  /**
   * Returns the position of the innermost frame, as {@code url:line:column}; null if no page code
   * is being called. On the event loop of the agent.
   */
  static @Nullable String position(Agent agent, Value internalFunction) {
    return pageFrames(thrown(agent, internalFunction))
        .findFirst()
        .map(frame -> place(frame.getSourceLocation()))
        .orElse(null);
  }

  private static Stream<PolyglotException.StackFrame> pageFrames(PolyglotException thrown) {
    return StreamSupport.stream(thrown.getPolyglotStackTrace().spliterator(), false)
        .filter(frame -> frame.isGuestFrame() && frame.getSourceLocation() != null)
        .filter(frame -> !isHidden(frame.getSourceLocation().getSource()));
  }

  private static PolyglotException thrown(Agent agent, Value internalFunction) {
    try {
      agent.call(
          internalFunction,
          (ProxyExecutable)
              none -> {
                throw new IllegalStateException(); // thrown for its stack trace
              });
    } catch (PolyglotException thrown) {
      if (thrown.isHostException()) {
        return thrown;
      }
      throw thrown;
    }
    throw new IllegalStateException("the function has not called its argument");
  }

  /** Returns whether a script is internal, and so hidden from pages. */
  public static boolean isHidden(Source source) {
    return source.isInternal() || nameOf(source).startsWith(HIDDEN);
  }

  /** Returns the URL of a script. The name of a module is its specifier; its path is the URL. */
  public static String nameOf(Source source) {
    return source.getPath() == null ? source.getName() : source.getPath();
  }

  /** Returns the frames of an error as lines; empty if it has none. */
  static String of(Value error) {
    try {
      throw error.throwException();
    } catch (PolyglotException thrown) {
      if (thrown.isGuestException()) {
        return text(thrown);
      }
      throw thrown;
    }
  }

  private static String text(PolyglotException thrown) {
    List<String> lines =
        pageFrames(thrown)
            .map(frame -> line(frame.getRootName(), frame.getSourceLocation()))
            .toList();
    String first = String.join("\n", lines.subList(0, Math.min(lines.size(), MAX_FRAMES)));
    return lines.size() <= MAX_FRAMES
        ? first
        : first + "\n    ... " + (lines.size() - MAX_FRAMES) + " more";
  }

  private static String place(SourceSection at) {
    return nameOf(at.getSource()) + ":" + at.getStartLine() + ":" + at.getStartColumn();
  }

  private static String line(String function, SourceSection at) {
    String place = place(at);
    // the engine's names for scripts and for functions without a name begin with a colon
    return function.isEmpty() || function.startsWith(":")
        ? "    at " + place
        : "    at " + function + " (" + place + ")";
  }
}
