package dev.weblocks.wpt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The texts of our scripts that report from inside a page; they travel with these classes. */
public final class ReportScript {

  private ReportScript() {}

  /**
   * Our {@code testharnessreport.js}, for pages whose timers run {@code timeoutFactor} times as
   * long.
   *
   * @throws IllegalStateException when the script is not beside the classes
   */
  public static String withTimeoutFactor(double timeoutFactor) {
    return text("testharnessreport.js")
        .replace("{{timeout_multiplier}}", Double.toString(timeoutFactor));
  }

  /**
   * What tells the end of a crashtest, whose page loads no script for that.
   *
   * @throws IllegalStateException when the script is not beside the classes
   */
  static PreloadScript ofCrashtests() {
    return new PreloadScript("crashtestreport.js", text("crashtestreport.js"));
  }

  private static String text(String name) {
    try (InputStream in = ReportScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            name + " is missing beside the classes: wpt-harness/js belongs to the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
