package dev.weblocks.harness.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines that start Chromium without a display. */
public final class ChromiumCommand {

  /** The usual names of the program. */
  public static final List<String> PROGRAMS =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  /**
   * The shell code that moves the pipe from standard input and output to file descriptors 3 and 4,
   * where Chromium expects it.
   */
  private static final String PIPE = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null";

  private ChromiumCommand() {}

  /**
   * Returns a command whose standard input and output are a pipe of the DevTools protocol. When the
   * pipe closes, Chromium ends.
   *
   * @param sandbox whether the browser's sandbox is on; with it, the browser refuses to run as root
   * @param profile directory of the profile
   * @param flags further flags
   */
  public static List<String> withPipe(
      String program, boolean sandbox, Path profile, List<String> flags) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                PIPE,
                program,
                "--headless",
                "--remote-debugging-pipe",
                "--user-data-dir=" + profile,
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-gpu",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-background-timer-throttling",
                "--disable-renderer-backgrounding"));
    command.addAll(flags);
    if (!sandbox) {
      command.add("--no-sandbox");
    }
    return command;
  }
}
