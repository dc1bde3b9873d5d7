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
 * The stack traces of page code, read from the engine. The stack of an Error object is not used, as
 * a page can change it, for example by {@code Error.stackTraceLimit}.
 */
public final class CallStack {

  private static final int MAX_FRAMES = 50;

  /** The prefix of the paths of modules whose frames are hidden from stacks. */
  public static final String HIDDEN = "weblocks-";

  private CallStack() {}

  /**
   * Returns the frames of page code as lines, the innermost first; empty if there are none. On the
   * event loop of the agent.
   */
  public static String current(Agent agent, Value internalFunction) {
    return text(thrown(agent, internalFunction));
  }

  /**
   * Returns the URLs of the scripts of the frames of page code, the innermost first. On the event
   * loop of the agent.
   */
  public static List<String> scripts(Agent agent, Value internalFunction) {
    return pageFrames(thrown(agent, internalFunction))
        .map(frame -> nameOf(frame.getSourceLocation().getSource()))
        .toList();
  }

  /**
   * Returns the innermost call in page code; null if there is none. On the event loop of the agent.
   */
  static @Nullable SourceSection innermost(Agent agent, Value internalFunction) {
    return pageFrames(thrown(agent, internalFunction))
        .findFirst()
        .map(PolyglotException.StackFrame::getSourceLocation)
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
    throw new IllegalStateException("the function did not call its argument");
  }

  /** Returns whether the frames of a script are hidden from stacks. */
  public static boolean isHidden(Source source) {
    return source.isInternal() || nameOf(source).startsWith(HIDDEN);
  }

  /** Returns the URL of a script: the path of a module, the name of any other script. */
  public static String nameOf(Source source) {
    return source.getPath() == null ? source.getName() : source.getPath();
  }

  /** Returns the frames of page code of an error as lines; empty if it has none. */
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

  /** Returns the start of a section as {@code url:line:column}. */
  static String place(SourceSection at) {
    return nameOf(at.getSource()) + ":" + at.getStartLine() + ":" + at.getStartColumn();
  }

  private static String line(String function, SourceSection at) {
    String place = place(at);
    return isUnnamed(function) ? "    at " + place : "    at " + function + " (" + place + ")";
  }

  /** Returns whether a frame is of a script or of a function without a name. */
  static boolean isUnnamed(String function) {
    return function.isEmpty() || function.startsWith(":"); // as in the engine's ":program"
  }
}
