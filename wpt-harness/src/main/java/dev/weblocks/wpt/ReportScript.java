package dev.weblocks.wpt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The text of our {@code testharnessreport.js}, which travels with these classes. */
public final class ReportScript {

  private static final String NAME = "testharnessreport.js";

  private ReportScript() {}

  /**
   * The script for pages whose timers run {@code timeoutFactor} times as long.
   *
   * @throws IllegalStateException when the script is not beside the classes
   */
  public static String withTimeoutFactor(double timeoutFactor) {
    try (InputStream in = ReportScript.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IllegalStateException(
            NAME + " is missing beside the classes: wpt-harness/js belongs to the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("{{timeout_multiplier}}", Double.toString(timeoutFactor));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
