package dev.weblocks.harness.differ.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.harness.differ.EngineSettings;
import dev.weblocks.harness.differ.Observation;
import dev.weblocks.harness.differ.ProgramFiles;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Browsers that are installed, and shell scripts in place of browsers. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstalledBrowsersTest {

  /** A browser that speaks the DevTools protocol; a page reports without running any script. */
  private static final String STUB =
      """
      #!/bin/bash
      while IFS= read -r -d '' line <&3; do
        id=${line##*'"id":'}
        printf '{"id":%s,"result":{"product":"Stub/7","targetId":"w","sessionId":"s"}}\\0' \\
          "${id%%[!0-9]*}" >&4
        case $line in *Page.navigate*http*)
          url=${line#*http://}
          host=${url%%/*}
          exec 5<>"/dev/tcp/127.0.0.1/${host##*:}"
          body='{"complete":true,"logs":{"main":["'$host'"]}}'
          printf 'POST /report HTTP/1.1\\r\\nHost: %s\\r\\nContent-Length: %s\\r\\n\\r\\n%s' \\
            "$host" "${#body}" "$body" >&5
          exec 5>&-
        esac
      done
      """;

  private static final String INDEX =
      """
      <!DOCTYPE html>
      <body>
      <script src="/runtime.js"></script>
      <script>
      const logs = {};
      let left = 5;
      new BroadcastChannel('log').onmessage = ({data}) => {
        logs[data] = [data];
        if (--left === 0) {
          const main = [String(isSecureContext), location.search];
          fetch('/report', {
            method: 'POST', body: JSON.stringify({complete: true, logs: {...logs, main}})});
        }
      };
      navigator.locks.request('a', {ifAvailable: true}, () => new Promise(
          resolve => setTimeout(resolve, 5)));
      new Worker('/worker.js');
      new SharedWorker('/shared.js');
      const frame = document.createElement('iframe');
      frame.src = '/frame.html';
      document.body.append(frame);
      open('/popup.html');
      open('/alone.html', '', 'noopener');
      </script>
      """;

  private static final String RUNTIME =
      """
      function contend(name) {
        navigator.locks.request('a', () => new BroadcastChannel('log').postMessage(name));
      }
      """;

  @TempDir Path dir;

  private BrowserEngine start(String name, @Nullable Path program, int windows)
      throws EngineFailure, InterruptedException {
    return start(
        name,
        variable ->
            program != null && variable.startsWith("WEBLOCKS_")
                ? program.toString()
                : System.getenv(variable),
        windows);
  }

  private BrowserEngine start(String name, Function<String, @Nullable String> variable, int windows)
      throws EngineFailure, InterruptedException {
    return BrowserEngine.start(
        name,
        System::getProperty,
        variable,
        new EngineSettings(null, windows, 10, Duration.ofSeconds(20)),
        false);
  }

  private Path program(String script) throws IOException {
    Path file = dir.resolve("program");
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private static ProgramFiles contention() {
    Map<String, String> files = new TreeMap<>();
    files.put("/index.html", INDEX);
    files.put("/runtime.js", RUNTIME);
    for (String each : List.of("worker", "shared")) {
      files.put("/" + each + ".js", "importScripts('/runtime.js'); contend('" + each + "');");
    }
    for (String each : List.of("frame", "popup", "alone")) {
      files.put(
          "/" + each + ".html",
          "<script src='/runtime.js'></script><script>contend('" + each + "')</script>");
    }
    return new ProgramFiles(new TreeMap<>(files));
  }

  @ParameterizedTest
  @ValueSource(strings = {"chromium", "firefox"})
  void realms_of_a_program_share_locks_and_programs_do_not(String name) throws Exception {
    BrowserEngine engine;
    try {
      engine = start(name, (Path) null, 2);
    } catch (EngineFailure e) {
      assumeTrue(!e.reason().contains("not installed"), name + ": " + e.reason());
      throw e;
    }
    try (engine) {
      List<Observation> observations =
          engine.run(List.of(contention(), contention(), contention()));

      for (Observation each : observations) {
        assertTrue(each.complete());
        assertEquals(List.of("true", "?wait=10&rounds=4&limit=2000"), each.lines("main"));
        assertEquals(6, each.logs().size());
      }
    }
  }

  @Test
  void stub_of_chromium_runs_programs() throws Exception {
    try (BrowserEngine engine = start("chromium", program(STUB), 2)) {
      assertEquals("7", engine.version());
      List<Observation> observations = engine.run(List.of(contention(), contention()));
      assertTrue(observations.getLast().lines("main").getFirst().startsWith("p2.weblocks.local"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chromium", "firefox"})
  void browser_that_does_not_start_is_reported_with_its_output(String name) throws Exception {
    Path program = program("#!/bin/sh\necho 'no display' >&2\nexit 1\n");

    EngineFailure failure =
        assertThrows(EngineFailure.class, () -> start(name, program, 1).close());
    assertEquals("does not start: the process has ended (no display)", failure.reason());
  }

  @Test
  void missing_browser_is_reported_with_the_names_tried() {
    EngineFailure failure =
        assertThrows(
            EngineFailure.class,
            () -> start("firefox", any -> any.equals("PATH") ? "/none" : null, 1).close());
    assertEquals(
        "it is not installed: none of firefox, firefox-esr is on the PATH, and WEBLOCKS_FIREFOX is"
            + " not set",
        failure.reason());
  }

  @Test
  void processes_and_profile_are_gone_after_close() throws Exception {
    Path pid = dir.resolve("pid");
    String notes = "sleep 1000 &\necho $! >" + pid + "\necho \"$@\" >" + pid + ".args\n";
    Path program = program(STUB.replace("while", notes + "while"));
    start("chromium", program, 1).close();

    long child = Long.parseLong(Files.readString(pid).strip());
    assertFalse(ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false));
    String profile =
        Files.readString(Path.of(pid + ".args"))
            .replaceFirst("(?s).*--user-data-dir=(\\S+).*", "$1");
    assertFalse(Files.exists(Path.of(profile)), profile);
  }
}
