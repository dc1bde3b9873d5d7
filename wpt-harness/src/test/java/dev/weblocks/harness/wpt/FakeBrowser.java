package dev.weblocks.harness.wpt;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.ResourceRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A browser without scripts, whose pages are driven by the test. */
public final class FakeBrowser implements Browser {

  /** A page that the test drives. */
  public static final class Page implements Browser.OpenPage {
    public final String url;
    public final List<PreloadScript> scripts;
    private final ResourceLoader loader;
    public final PageListener listener;
    public boolean closed;
    public Runnable onClose = () -> {};
    public String locks = "";

    Page(String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
      this.url = url;
      this.scripts = scripts;
      this.loader = loader;
      this.listener = listener;
    }

    @Override
    public String locks() {
      return locks;
    }

    /** Loads a resource of the page's origin, as script would. */
    public void load(String path) {
      String origin = url.substring(0, url.indexOf('/', "https://".length()));
      loader.load(new ResourceRequest("GET", origin + path, List.of(), new byte[0]));
    }

    /** Posts a result as testharnessreport.js does. */
    public void post(String fields) {
      String origin = url.substring(0, url.indexOf('/', "https://".length()));
      String body = "{\"page\":\"" + url + "\"," + fields + "}";
      loader.load(
          new ResourceRequest(
              "POST",
              origin + WptServer.RESULTS_PATH,
              List.of(),
              body.getBytes(StandardCharsets.UTF_8)));
    }

    public void state(String name, boolean started) {
      post("\"type\":\"state\",\"name\":\"" + name + "\",\"started\":" + started);
    }

    public void result(String name, int status, String message) {
      post("\"type\":\"result\",\"subtest\":" + subtest(name, status, message));
    }

    public void complete(int status, String... subtests) {
      post(
          "\"type\":\"completion\",\"status\":"
              + status
              + ",\"message\":null,\"subtests\":["
              + String.join(",", subtests)
              + "]");
    }

    public static String subtest(String name, int status, String message) {
      return "{\"name\":\"%s\",\"status\":%d,\"message\":\"%s\"}".formatted(name, status, message);
    }

    @Override
    public void close() {
      closed = true;
      onClose.run();
    }
  }

  private final Map<String, Page> pages = new LinkedHashMap<>();
  public final List<String> opened = new ArrayList<>();
  private final Consumer<Page> script;

  /**
   * Creates a browser.
   *
   * @param script runs for every page while it opens
   */
  public FakeBrowser(Consumer<Page> script) {
    this.script = script;
  }

  /** Returns the page that was opened at a path. */
  public Page page(String path) {
    Page page = pages.get(path);
    if (page == null) {
      throw new AssertionError(path + " was not opened, only " + opened);
    }
    return page;
  }

  @Override
  public synchronized OpenPage open(
      String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
    Page page = new Page(url, scripts, loader, listener);
    String path = url.substring(url.indexOf('/', "https://".length()));
    opened.add(path);
    pages.put(path, page);
    script.accept(page);
    return page;
  }
}
