package dev.weblocks.agent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/** A check for exceptions that mean that a class stays unusable until the JVM ends. */
public final class BrokenClass {

  /** The text of the JVM for the use of a class whose initialization has failed before. */
  private static final Pattern LATER_USE =
      Pattern.compile("NoClassDefFoundError: Could not initialize class ([^\\s;,]+)");

  /** The errors at the first use; those of the engine arrive as a text only. */
  private static final Pattern FIRST_USE =
      Pattern.compile("java\\.lang\\.(ExceptionInInitializerError|BootstrapMethodError)");

  private static final String UNKNOWN = "unknown";

  /** The maximum number of causes to follow, as they may form a cycle. */
  private static final int MAX_CAUSES = 100;

  private BrokenClass() {}

  /** Returns the name of the class that caused a failure, "unknown", or null if there is none. */
  public static @Nullable String causeOf(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof PolyglotException thrown && thrown.isHostException()) {
        return causeOf(thrown.asHostException());
      }
      String name = in(cause);
      if (name != null) {
        return name;
      }
      cause = cause.getCause();
    }
    return null;
  }

  private static @Nullable String in(Throwable thrown) {
    boolean internal = thrown instanceof PolyglotException guest && guest.isInternalError();
    if (!internal && !(thrown instanceof LinkageError)) {
      return null; // a text of script proves nothing
    }
    String text = internal ? String.valueOf(thrown.getMessage()) : thrown.toString();
    Matcher later = LATER_USE.matcher(text);
    if (later.find()) {
      return later.group(1);
    }
    if (!FIRST_USE.matcher(text).find()) {
      return null;
    }
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    for (StackTraceElement frame : cause.getStackTrace()) {
      if (frame.getMethodName().equals("<clinit>")
          || (text.contains("Bootstrap") && !frame.getClassName().startsWith("java."))) {
        return frame.getClassName();
      }
    }
    return UNKNOWN;
  }
}
