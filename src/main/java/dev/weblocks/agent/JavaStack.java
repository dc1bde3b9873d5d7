package dev.weblocks.agent;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Where Java threw something, as text. */
public final class JavaStack {

  private JavaStack() {}

  /** What was thrown, and the frames and causes below it, a line each; no line end at the end. */
  public static String of(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    return stack.toString().stripTrailing();
  }
}
