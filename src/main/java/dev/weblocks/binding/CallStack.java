package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * Tells which functions of a page led somewhere. The engine knows; script would have to make an
 * Error or read its stack, in ways that a page can change, such as {@code Error.stackTraceLimit}.
 */
public final class CallStack {

  private static final int MAX_FRAMES = 50;

  /** How the paths of modules begin that nobody shall see. */
  public static final String HIDDEN = "weblocks-";

  private CallStack() {}

  /**
   * The frames as lines, the innermost first; empty if no page code is being called. On the event
   * loop of the agent.
   */
  public static String current(Agent agent, Value anyFunctionOfOurs) {
    return text(thrown(agent, anyFunctionOfOurs));
  }

  /**
   * The names of the scripts that the frames are of, the innermost first. On the event loop of the
   * agent.
   */
  public static List<String> scripts(Agent agent, Value anyFunctionOfOurs) {
    List<String> names = new ArrayList<>();
    for (PolyglotException.StackFrame frame :
        thrown(agent, anyFunctionOfOurs).getPolyglotStackTrace()) {
      SourceSection at = frame.isGuestFrame() ? frame.getSourceLocation() : null;
      if (at != null && !isHidden(at.getSource())) {
        names.add(nameOf(at.getSource()));
      }
    }
    return names;
  }

  /**
   * Where the innermost frame is, as {@code url:line:column}; null if no page code is being called.
   * On the event loop of the agent.
   */
  static @Nullable String position(Agent agent, Value anyFunctionOfOurs) {
    for (PolyglotException.StackFrame frame :
        thrown(agent, anyFunctionOfOurs).getPolyglotStackTrace()) {
      SourceSection at = frame.isGuestFrame() ? frame.getSourceLocation() : null;
      if (at != null && !isHidden(at.getSource())) {
        return place(at);
      }
    }
    return null;
  }

  private static PolyglotException thrown(Agent agent, Value anyFunctionOfOurs) {
    try {
      agent.call(
          anyFunctionOfOurs,
          (ProxyExecutable)
              none -> {
                throw new IllegalStateException(); // its stack is what this is about
              });
    } catch (PolyglotException thrown) {
      if (thrown.isHostException()) {
        return thrown;
      }
      throw thrown;
    }
    throw new IllegalStateException("the function has not called its argument");
  }

  /** Whether a script is one of ours, which a page does not know of. */
  public static boolean isHidden(Source source) {
    return source.isInternal() || nameOf(source).startsWith(HIDDEN);
  }

  /** The URL of a script: a module is named as it was imported, and its path is the URL. */
  public static String nameOf(Source source) {
    return source.getPath() == null ? source.getName() : source.getPath();
  }

  /** The frames that led to an error, as lines; empty if it knows none. */
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
    StringBuilder lines = new StringBuilder();
    int left = MAX_FRAMES;
    int more = 0;
    for (PolyglotException.StackFrame frame : thrown.getPolyglotStackTrace()) {
      SourceSection at = frame.isGuestFrame() ? frame.getSourceLocation() : null;
      if (at == null || isHidden(at.getSource())) {
        continue;
      }
      if (left-- > 0) {
        lines.append(lines.isEmpty() ? "" : "\n").append(line(frame.getRootName(), at));
      } else {
        more++;
      }
    }
    return more == 0 ? lines.toString() : lines + "\n    ... " + more + " more";
  }

  private static String place(SourceSection at) {
    return nameOf(at.getSource()) + ":" + at.getStartLine() + ":" + at.getStartColumn();
  }

  private static String line(String function, SourceSection at) {
    String place = place(at);
    // the engine's own names begin with a colon: of scripts, and of functions that have none
    return function.isEmpty() || function.startsWith(":")
        ? "    at " + place
        : "    at " + function + " (" + place + ")";
  }
}
