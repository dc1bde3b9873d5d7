package dev.weblocks.agent;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The stack traces of Java exceptions as text. */
public final class JavaStack {

  private JavaStack() {}

  /** Returns the exception with its frames and causes, one per line, without a final line break. */
  public static String of(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    return stack.toString().stripTrailing();
  }
}
