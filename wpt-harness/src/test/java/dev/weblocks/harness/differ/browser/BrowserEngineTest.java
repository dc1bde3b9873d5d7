package dev.weblocks.harness.differ.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.differ.EngineSettings;
import dev.weblocks.harness.differ.Observation;
import dev.weblocks.harness.differ.ProgramFiles;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrowserEngineTest {

  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final List<FakeBrowser> started = new ArrayList<>();

  private BrowserEngine engine(int windows, Duration limit)
      throws EngineFailure, InterruptedException {
    return new BrowserEngine(
        "fake",
        listener -> {
          started.add(new FakeBrowser(listener));
          return started.getLast();
        },
        new EngineSettings(null, windows, 9, limit));
  }

  private static ProgramFiles program(String index) {
    return new ProgramFiles(new TreeMap<>(Map.of("/index.html", index)));
  }

  private static List<List<String>> lines(List<Observation> observations) {
    return observations.stream().map(each -> each.lines("main")).toList();
  }

  @Test
  void observations_are_in_the_order_of_the_programs() throws Exception {
    try (BrowserEngine engine = engine(3, LONG)) {
      List<ProgramFiles> programs =
          IntStream.range(0, 20).mapToObj(i -> program("log " + i)).toList();

      assertEquals(
          IntStream.range(0, 20).mapToObj(i -> List.of("log " + i)).toList(),
          lines(engine.run(programs)));
      assertEquals(3, started.getFirst().windows.size());
      assertEquals(20, new HashSet<>(started.getFirst().hosts).size());
      assertEquals(List.of(List.of("log more")), lines(engine.run(List.of(program("log more")))));
    }
  }

  @Test
  void program_without_report_is_incomplete_and_its_window_is_replaced() throws Exception {
    try (BrowserEngine engine = engine(2, SHORT)) {
      List<Observation> observations =
          engine.run(List.of(program("silence"), program("log a"), program("log b")));

      assertEquals(Observation.NOTHING, observations.getFirst());
      assertEquals(List.of(List.of(), List.of("log a"), List.of("log b")), lines(observations));
      assertEquals(Set.of("w2", "w3"), started.getFirst().windows);
    }
  }

  @Test
  void windows_that_a_program_opens_are_closed_at_its_end() throws Exception {
    try (BrowserEngine engine = engine(1, LONG)) {
      List<Observation> unused =
          engine.run(List.of(program("open x\nopen y from x\nlog a"), program("log b")));

      assertEquals(Set.of("w1"), started.getFirst().windows);
    }
  }

  @Test
  void browser_that_ends_is_restarted_once_and_programs_are_repeated() throws Exception {
    try (BrowserEngine engine = engine(1, LONG)) {
      List<ProgramFiles> programs = List.of(program("log a"), program("log b"));
      assertEquals(List.of("log a"), engine.run(programs).getFirst().lines("main"));
      started.getFirst().end();

      assertEquals(List.of(List.of("log a"), List.of("log b")), lines(engine.run(programs)));
      assertEquals(2, started.size());
    }
  }

  @Test
  void second_end_of_the_browser_is_a_failure_with_its_last_output() throws Exception {
    try (BrowserEngine engine = engine(2, LONG)) {
      List<ProgramFiles> programs = List.of(program("end"), program("log b"));
      BrowserFailure failure = assertThrows(BrowserFailure.class, () -> engine.run(programs));

      assertEquals("fake: the browser has ended (last words)", failure.getMessage());
      assertEquals(2, started.size());
    }
  }

  @Test
  void interrupt_returns_what_has_been_reported() throws Exception {
    try (BrowserEngine engine = engine(1, LONG)) {
      Thread runner = Thread.currentThread();
      List<ProgramFiles> programs = List.of(program("log a"), program("silence"));
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            while (started.getFirst().hosts.size() < 2) {
              Thread.onSpinWait();
            }
            runner.interrupt();
          });

      assertEquals(List.of(List.of("log a"), List.of()), lines(engine.run(programs)));
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void server_serves_files_of_the_program_of_the_host_only() throws Exception {
    BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    try (ProgramServer server = new ProgramServer((host, report) -> reports.add(host + report))) {
      String host =
          server.add(
              new ProgramFiles(
                  new TreeMap<>(Map.of("/index.html", "<p>ä", "/worker.js", "work()"))));
      URI url = URI.create("http://" + host);
      URI other = URI.create("http://other:" + url.getPort());

      String document = FakeBrowser.exchange("GET", url, "/index.html?wait=3", "");
      assertTrue(document.contains("text/html;charset=utf-8"), document);
      assertEquals("<p>ä", FakeBrowser.body(document));
      String script = FakeBrowser.exchange("GET", url, "/worker.js", "");
      assertTrue(script.contains("text/javascript"), script);
      assertStatus("404", FakeBrowser.exchange("GET", url, "/none.js", ""));
      assertStatus("404", FakeBrowser.exchange("GET", other, "/index.html", ""));
      assertStatus("400", FakeBrowser.exchange("POST", url, "/report", "no report"));
      assertStatus("204", post(url));
      server.remove(host);
      assertStatus("404", post(url));
      assertEquals(1, reports.size());
    }
  }

  private static String post(URI url) throws IOException {
    return FakeBrowser.exchange("POST", url, "/report", "{\"complete\": true, \"logs\": {}}");
  }

  private static void assertStatus(String expected, String response) {
    assertTrue(response.startsWith("HTTP/1.1 " + expected), response);
  }
}
