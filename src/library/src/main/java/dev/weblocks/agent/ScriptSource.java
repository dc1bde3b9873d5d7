package dev.weblocks.agent;

import org.graalvm.polyglot.Source;

/**
 * The maker of all sources of the library. Each gets the type of a classic script: the engine would
 * run a source without a type as a module if its name ends in {@code .mjs}.
 */
public final class ScriptSource {

  private static final String CLASSIC_SCRIPT = "application/javascript";

  private ScriptSource() {}

  /**
   * Returns the source of a classic script.
   *
   * @param name the URL that stacks show; it does not change how the script runs
   */
  public static Source classic(CharSequence code, String name) {
    return builder(code, name).buildLiteral();
  }

  /** Returns the source of a script of the library, whose frames do not appear in stacks. */
  public static Source internal(CharSequence code, String name) {
    return builder(code, name).internal(true).buildLiteral();
  }

  private static Source.Builder builder(CharSequence code, String name) {
    return Source.newBuilder("js", code, name).mimeType(CLASSIC_SCRIPT);
  }
}
