package dev.weblocks.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Driver;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages in user agents of Weblocks, under the deterministic driver. */
class EmbedBrowserTest {

  private static final String PAGE = "http://web-platform.test:8000/dir/crashtests/a.html";

  private final MiniatureWpt wpt = new MiniatureWpt();
  private final FakeTimers timers = new FakeTimers();
  private final Driver driver = Driver.deterministic(7);
  private final EmbedBrowser browser = new EmbedBrowser(driver);
  private final ResultCollector results = new ResultCollector(PAGE, () -> {});
  private final StringBuilder heard = new StringBuilder();

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
            timers);
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
          public void crashed(Throwable cause) {
            heard.append("crashed;");
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

    driver.runUntilQuiescent(100_000);

    assertTrue(complete(), heard.toString());
    assertEquals(HarnessStatus.PASS, results.snapshot().completion().orElseThrow().status());
    page.close();
    assertEquals("loaded;ended;", heard.toString());
  }

  @Test
  void a_crashtest_whose_root_waits_is_not_complete() {
    Browser.OpenPage page = openCrashtest("<!doctype html>", "<html class='a test-wait b'>");

    assertThrows(IllegalStateException.class, () -> driver.runUntilQuiescent(5_000));

    assertTrue(results.snapshot().loaded());
    assertFalse(complete());
    page.close();
  }

  @Test
  void a_crashtest_hears_that_it_is_shown_while_it_waits() {
    Browser.OpenPage page =
        openCrashtest(
            "<!doctype html>",
            "<html class=test-wait>",
            "<script>",
            "self.addEventListener('TestRendered', () => { throw new Error('shown'); });",
            "</script>");

    assertThrows(IllegalStateException.class, () -> driver.runUntilQuiescent(5_000));

    assertTrue(heard.toString().contains("Error: shown"), heard.toString());
    page.close();
  }

  @Test
  void what_a_page_has_begun_ends_with_it() {
    Browser.OpenPage page =
        openCrashtest(
            "<!doctype html>",
            "<script>setInterval(() => {}, 10); new Worker('data:text/javascript,setInterval(() => {}, 10)');",
            "</script>");
    assertThrows(IllegalStateException.class, () -> driver.runUntilQuiescent(5_000));

    page.close();

    assertTrue(heard.toString().endsWith("ended;"), heard.toString());
    driver.runUntilQuiescent(100);
  }
}
