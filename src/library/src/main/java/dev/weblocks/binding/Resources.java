package dev.weblocks.binding;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Source;

/**
 * The reader of texts that are resources beside a class: IDL files and the scripts of the binding.
 */
public final class Resources {

  private Resources() {}

  /**
   * Returns the text of a resource.
   *
   * @throws IllegalStateException if there is none: the jar is incomplete
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

  /** Returns an internal script: its frames do not appear in stacks. */
  public static Source script(Class<?> beside, String name) {
    return internal("weblocks:" + name, text(beside, name));
  }

  /**
   * Returns an internal script: its frames do not appear in stacks, unless the system property
   * {@code dev.weblocks.showInternalFrames} is true, for debugging Weblocks itself.
   */
  static Source internal(String name, CharSequence code) {
    return Source.newBuilder("js", code, name)
        .internal(!Boolean.getBoolean("dev.weblocks.showInternalFrames"))
        .buildLiteral();
  }
}
