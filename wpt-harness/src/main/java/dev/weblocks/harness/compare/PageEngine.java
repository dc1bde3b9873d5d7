package dev.weblocks.harness.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.harness.browser.InstalledBrowser;
import dev.weblocks.harness.browser.RemoteBrowser;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A browser as an engine: a page carries out the commands. */
final class PageEngine implements Engine {

  private static final Duration START = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 5;

  private static final RemoteBrowser.Listener NOBODY =
      new RemoteBrowser.Listener() {
        @Override
        public void opened(String window, String opener) {}

        @Override
        public void ended() {}
      };

  private final String name;
  private final InstalledBrowser browser;
  private final Path files;
  private final Processes processes;

  PageEngine(String name, InstalledBrowser browser, Path files, Processes processes) {
    this.name = name;
    this.browser = browser;
    this.files = files;
    this.processes = processes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean canRun(Workload workload) {
    return workload.kind() != Workload.Kind.USE;
  }

  @Override
  public Session start() throws EngineFailure, InterruptedException {
    PageHost host;
    try {
      host = new PageHost(files);
    } catch (IOException e) {
      throw new EngineFailure("the server of its page does not start: " + e.getMessage());
    }
    RemoteBrowser started;
    try {
      started = browser.start(processes, 1, true, NOBODY);
    } catch (EngineFailure | InterruptedException e) {
      host.close();
      throw e;
    }
    Page page = new Page(host, started);
    try {
      page.open();
      return page;
    } catch (EngineFailure e) {
      page.close();
      throw new EngineFailure("does not start: " + e.reason() + started.lastWords());
    } catch (InterruptedException e) {
      page.close();
      throw e;
    }
  }

  @Override
  public double firstLock(Duration bound) throws EngineFailure, InterruptedException {
    long start = System.nanoTime();
    try (Session session = start()) {
      JsonNode unused = session.call("sequential", "round", 1, bound);
      return (System.nanoTime() - start) / 1e6;
    }
  }

  @Override
  public List<Double> locksPerSecond(String use, int seconds) throws EngineFailure {
    throw new EngineFailure("a page is not a use");
  }

  private static final class Page implements Session {

    private final JsonMapper json = JsonMapper.builder().build();
    private final PageHost host;
    private final RemoteBrowser browser;
    private String window = "";

    Page(PageHost host, RemoteBrowser browser) {
      this.host = host;
      this.browser = browser;
    }

    void open() throws EngineFailure, InterruptedException {
      window = browser.openWindow();
      browser.load(window, host.url("adapters/page.html"));
      long deadline = System.nanoTime() + START.toNanos();
      while (!isLoaded()) {
        if (System.nanoTime() - deadline > 0) {
          throw new EngineFailure("its page did not load");
        }
        Thread.sleep(POLL_MILLIS);
      }
      if (browser.evaluate(window, "String('locks' in navigator)", START).equals("false")) {
        throw new EngineFailure("version " + browser.version() + " has no navigator.locks");
      }
    }

    private boolean isLoaded() throws EngineFailure, InterruptedException {
      try {
        return browser.evaluate(window, "typeof obeyDriver", START).equals("function");
      } catch (EngineFailure e) {
        if (e.isLate()) {
          throw e;
        }
        return false; // of the document before
      }
    }

    @Override
    public String version() {
      return browser.version();
    }

    @Override
    public JsonNode call(String workload, String call, int size, Duration bound)
        throws EngineFailure, InterruptedException {
      String command =
          json.createObjectNode()
              .put("workload", workload)
              .put("call", call)
              .put("size", size)
              .toString();
      String answer =
          browser.evaluate(window, "obeyDriver(" + command + ").then(JSON.stringify)", bound);
      try {
        return Exchange.field(json.readTree(answer), "value");
      } catch (JsonProcessingException e) {
        throw new EngineFailure("its answer is not JSON: " + Exchange.line(answer));
      }
    }

    @Override
    public void collect(Duration bound) throws EngineFailure, InterruptedException {
      browser.collectGarbage(window, bound);
    }

    @Override
    public long residentBytes() throws EngineFailure {
      return browser.residentBytes();
    }

    @Override
    public void close() {
      browser.close();
      host.close();
    }
  }
}
