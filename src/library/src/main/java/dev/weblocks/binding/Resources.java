package dev.weblocks.binding;

import dev.weblocks.agent.ScriptSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Source;

/** The reader of text resources in the package of a class: IDL files and internal scripts. */
public final class Resources {

  private Resources() {}

  /**
   * Returns the text of a resource.
   *
   * @throws IllegalStateException if it is missing, because the jar is incomplete
   */
  public static String text(Class<?> beside, String name) {
    try (InputStream stream = beside.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(
            "resource " + name + " is missing beside " + beside.getName() + "; use a complete jar");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a resource as an internal script, whose frames do not appear in stacks. */
  public static Source script(Class<?> beside, String name) {
    return internal("weblocks:" + name, text(beside, name));
  }

  /**
   * Returns an internal script, whose frames do not appear in stacks. The system property {@code
   * dev.weblocks.showInternalFrames} shows them, for debugging Weblocks itself.
   */
  static Source internal(String name, CharSequence code) {
    return Boolean.getBoolean("dev.weblocks.showInternalFrames")
        ? ScriptSource.classic(code, name)
        : ScriptSource.internal(code, name);
  }
}
