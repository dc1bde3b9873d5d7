package dev.weblocks.harness.wpt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The scripts that report results from inside a page; resources of the jar. */
public final class ReportScript {

  private ReportScript() {}

  /**
   * Returns the {@code testharnessreport.js} of Weblocks, for pages whose timers run {@code
   * timeoutFactor} times as long.
   *
   * @throws IllegalStateException if the resource is missing
   */
  public static String withTimeoutFactor(double timeoutFactor) {
    return text("testharnessreport.js")
        .replace("{{timeout_multiplier}}", Double.toString(timeoutFactor));
  }

  /**
   * Returns the script that reports the end of a crashtest, whose page loads no reporting script.
   *
   * @throws IllegalStateException if the resource is missing
   */
  static PreloadScript ofCrashtests() {
    return new PreloadScript("crashtestreport.js", text("crashtestreport.js"));
  }

  private static String text(String name) {
    try (InputStream in = ReportScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            name
                + " is not on the class path: the build must include wpt-harness/src/main/resources");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
