package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.TraceListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages in user agents of Weblocks, under the deterministic driver. */
class EmbedBrowserTest {

  private static final String PAGE = "http://web-platform.test:8000/dir/crashtests/a.html";

  private final MiniatureWpt wpt = new MiniatureWpt();
  private final FakeTimers timers = new FakeTimers();
  private final DeterministicDriver driver = Driver.deterministic(7);
  private final EmbedBrowser browser =
      new EmbedBrowser(driver, List.of(), message -> {}, null, new PageLocks(Set.of(), null));
  private final ResultCollector results = new ResultCollector(PAGE, () -> {});
  private final StringBuilder heard = new StringBuilder();
  private final List<TraceEvent> steps = new ArrayList<>();

  @AfterEach
  void close() {
    browser.close();
    driver.close();
  }

  private Browser.OpenPage openCrashtest(String... lines) {
    wpt.file("dir/crashtests/a.html", lines);
    WptServer server =
        new WptServer(
            WptHosts.standard(),
            new WptFiles(wpt.root()),
            "",
            results,
            () -> new UUID(0, 0),
            timers,
            null);
    Browser.PageListener listener =
        new Browser.PageListener() {
          @Override
          public void loaded() {
            heard.append("loaded;");
          }

          @Override
          public void loadFailed(Throwable cause) {
            heard.append("loadFailed;");
          }

          @Override
          public void ended() {
            heard.append("ended;");
          }

          @Override
          public void uncaughtError(String description) {
            heard.append(description).append(';');
          }

          @Override
          public void preloadFailed(String description) {
            heard.append("preload failed: ").append(description).append(';');
          }

          @Override
          public void crashed(Throwable cause) {
            heard.append("crashed;");
          }

          @Override
          public TraceListener trace() {
            return steps::add;
          }
        };
    return browser.open(PAGE, List.of(ReportScript.ofCrashtests()), server, listener);
  }

  private boolean complete() {
    return results.snapshot().completion().isPresent();
  }

  @Test
  void a_crashtest_is_complete_when_it_has_loaded() {
    Browser.OpenPage page = openCrashtest("<!doctype html>", "<p class=test-wait>");
    assertFalse(results.snapshot().loaded());

    driver.runUntilIdle(100_000);

    assertTrue(complete(), heard.toString());
    assertEquals(HarnessStatus.PASS, results.snapshot().completion().orElseThrow().status());
    page.close();
    assertTrue(heard.toString().startsWith("loaded;"), heard.toString());
  }

  @Test
  void steps_of_a_page_reach_its_trace_listener() {
    Browser.OpenPage page = openCrashtest("<!doctype html>", "<script>'run'</script>");
    driver.runUntilIdle(100_000);
    assertTrue(
        steps.stream()
            .anyMatch(step -> step.kind() == TraceKind.TASK && step.actor().equals("window-1")),
        steps::toString);
    page.close();
  }

  @Test
  void a_crashtest_whose_root_element_has_test_wait_is_not_complete() {
    Browser.OpenPage page = openCrashtest("<!doctype html>", "<html class='a test-wait b'>");

    assertThrows(IllegalStateException.class, () -> driver.runUntilIdle(1_000));

    assertTrue(results.snapshot().loaded());
    assertFalse(complete());
    page.close();
  }

  @Test
  void waiting_crashtest_gets_the_test_rendered_event() {
    Browser.OpenPage page =
        openCrashtest(
            "<!doctype html>",
            "<html class=test-wait>",
            "<script>",
            "self.addEventListener('TestRendered', () => { throw new Error('shown'); });",
            "</script>");

    assertThrows(IllegalStateException.class, () -> driver.runUntilIdle(1_000));

    assertTrue(heard.toString().contains("Error: shown"), heard.toString());
    page.close();
  }

  @Test
  void crashtest_is_complete_when_its_root_element_loses_test_wait() {
    Browser.OpenPage page =
        openCrashtest(
            "<!doctype html>",
            "<html class=test-wait>",
            "<iframe src=other.html></iframe>",
            "<script>",
            "self.addEventListener('TestRendered', () => {",
            "  setTimeout(() => document.documentElement.classList.remove('test-wait'), 1000);",
            "});",
            "</script>");

    driver.runUntilIdle(100_000);

    assertTrue(complete(), heard.toString());
    assertEquals(0, results.snapshot().notes().size(), results.snapshot().notes().toString());
    page.close();
    assertTrue(heard.toString().startsWith("loaded;"), heard.toString());
  }

  @Test
  void windows_opened_by_a_page_end_with_that_page_and_report_nothing() {
    wpt.file("dir/crashtests/b.html", "<script>setInterval(() => {}, 10);</script>");
    Browser.OpenPage page =
        openCrashtest(
            "<!doctype html>",
            "<html class=test-wait>",
            "<script>",
            "if (!opener) {",
            "  open('b.html'); open('b.html', '_blank', 'noopener'); open(location.href);",
            "  open('/common/slow.py?delay=5000');",
            "}",
            "</script>");
    assertThrows(IllegalStateException.class, () -> driver.runUntilIdle(4_000));
    assertEquals(1, timers.pending(), "an answer is under way");

    page.close();

    assertFalse(complete());
    assertEquals(0, timers.pending());
    driver.runUntilIdle(100);
  }

  @Test
  void timers_and_workers_of_a_page_end_with_it() {
    Browser.OpenPage page =
        openCrashtest(
            "<!doctype html>",
            "<script>setInterval(() => {}, 10); new Worker('data:text/javascript,setInterval(() => {}, 10)');",
            "</script>");
    assertThrows(IllegalStateException.class, () -> driver.runUntilIdle(1_000));

    page.close();

    driver.runUntilIdle(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>fetch('/common/slow.py?delay=5000')</script>",
        "<script>fetch('/common/slow.py?delay=5000', {keepalive: true})</script>",
        "<script>let x = new XMLHttpRequest(); x.open('GET', '/common/slow.py?delay=5000'); x.send()</script>",
        "<script src='/common/slow.py?delay=5000'></script>",
        "<script type=module src='/common/slow.py?delay=5000'></script>",
        "<script>import('/common/slow.py?delay=5000')</script>",
        "<iframe src='/common/slow.py?delay=5000'></iframe>",
        "<script>new Worker('/common/slow.py?delay=5000')</script>",
        "<script>new SharedWorker('/common/slow.py?delay=5000')</script>",
        "<script>new Worker('data:text/javascript,fetch(`http://web-platform.test:8000/common/slow.py?delay=5000`)')</script>",
        "<script>setTimeout(() => { location = '/common/slow.py?delay=5000' }, 0)</script>",
      })
  void delayed_answers_are_cancelled_when_the_page_closes(String request) {
    Browser.OpenPage page = openCrashtest("<!doctype html>", request);
    driver.runUntilIdle(100_000);
    assertEquals(1, timers.pending(), "an answer is under way");

    page.close();

    assertEquals(0, timers.pending());
  }
}
