package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.EvaluatedValue;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.SharedEnvironment;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;

/**
 * The bytes of a page, loaded into a frame whose sandbox forbids scripts. The frame's load event is
 * fired, its markup can be read and parsed again as the content of an element, and nothing is
 * reported as an error.
 */
class PageFuzzTest extends FuzzTarget {

  private static final String ORIGIN = "https://one.test";
  private static final String READ =
      "{ const d = frame.contentDocument;"
          + " const copy = d.createElement('div');"
          + " copy.innerHTML = d.documentElement ? d.documentElement.outerHTML : '';"
          + " copy.innerHTML.length; copy.querySelectorAll('*').length; d.title; } String(loads)";

  private final List<UncaughtError> errors = new ArrayList<>();
  private final DeterministicDriver driver = Driver.deterministic(1);
  private final UserAgent agent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .resourceLoader(this::load)
          .errorListener(errors::add)
          .build();

  private Window window;
  private byte[] page = new byte[0];
  private int served;

  private CompletableFuture<ResourceResponse> load(ResourceRequest request) {
    boolean top = request.url().equals(ORIGIN + "/");
    // a page in a page would load itself again
    boolean fuzzed = request.url().startsWith(ORIGIN + "/page?") && served++ == 0;
    byte[] body =
        top
            ? "<iframe sandbox=allow-same-origin></iframe>".getBytes(StandardCharsets.UTF_8)
            : fuzzed ? page : new byte[0];
    return CompletableFuture.completedFuture(
        new ResourceResponse(
            request.url(), 200, "OK", List.of(Map.entry("Content-Type", "text/html")), body));
  }

  private Window openOnce() throws Exception {
    if (window == null) {
      window = agent.open(ORIGIN + "/");
      evaluate(
          window,
          "var loads, frame = document.querySelector('iframe'); frame.onload = () => loads++; '';");
    }
    return window;
  }

  private Object evaluate(Window in, String code) throws Exception {
    driver.runUntilIdle(100_000);
    CompletableFuture<EvaluatedValue> value = in.evaluate(code);
    driver.runUntilIdle(100_000);
    return value.get().value();
  }

  @Override
  protected void accept(byte[] input) throws Exception {
    Window top = openOnce();
    page = input;
    served = 0;
    evaluate(top, "loads = 0; frame.src = '/page?' + Math.random(); ''");
    assertEquals("1", evaluate(top, READ));
    assertEquals(List.of(), errors);
  }

  @AfterAll
  void close() {
    agent.close();
    driver.close();
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("", "<b>", ""),
        new Shape("", "<p>", ""),
        new Shape("", "<div>", ""),
        new Shape("", "<table>", ""),
        new Shape("", "<a href=x>", ""),
        new Shape("", "</x>", ""),
        new Shape("<p", " a#", ">"),
        new Shape("", "<!--", ""),
        new Shape("", "&amp", ""),
        new Shape("", "<", ""),
        new Shape("<script>", "</scrip", ""),
        new Shape("", "<p id=a#>", ""),
        new Shape("", "<iframe>", ""),
        new Shape("", "<select>", ""));
  }
}
