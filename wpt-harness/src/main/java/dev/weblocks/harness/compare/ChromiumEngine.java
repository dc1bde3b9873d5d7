package dev.weblocks.harness.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The engine Chromium, controlled with the DevTools protocol over a pipe. When this process ends,
 * the pipe closes and Chromium ends, too.
 */
final class ChromiumEngine implements Engine {

  private static final Duration START = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 5;

  private final String program;
  private final boolean sandbox;
  private final Path files;
  private final Processes processes;

  /**
   * Creates an engine that starts a browser.
   *
   * @param sandbox whether the browser's sandbox is on; with it, the browser refuses to run as root
   */
  ChromiumEngine(String program, boolean sandbox, Path files, Processes processes) {
    this.program = program;
    this.sandbox = sandbox;
    this.files = files;
    this.processes = processes;
  }

  @Override
  public String name() {
    return "chromium";
  }

  @Override
  public Session start() throws EngineFailure, InterruptedException {
    TemporaryDirectory profile = null;
    PageHost host = null;
    Processes.Child child = null;
    try {
      profile = new TemporaryDirectory("weblocks-bench-profile");
      host = new PageHost(files);
      child =
          processes.start(
              ChromiumCommand.withPipe(
                  program, sandbox, profile.path(), List.of("--js-flags=--expose-gc")));
      Page page = new Page(profile, host, child);
      page.open();
      return page;
    } catch (IOException | EngineFailure e) {
      if (child != null) {
        processes.end(child);
      }
      if (host != null) {
        host.close();
      }
      if (profile != null) {
        profile.close();
      }
      throw new EngineFailure(
          "does not start: " + e.getMessage() + (child == null ? "" : child.lastWords()));
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

  private final class Page implements Session {

    private final TemporaryDirectory profile;
    private final PageHost host;
    private final Processes.Child child;
    private final Exchange exchange;
    private String version = "";
    private String target = "";

    Page(TemporaryDirectory profile, PageHost host, Processes.Child child) {
      this.profile = profile;
      this.host = host;
      this.child = child;
      this.exchange =
          new Exchange(child.process().getInputStream(), child.process().getOutputStream(), '\0');
    }

    void open() throws EngineFailure, InterruptedException {
      version = ask("Browser.getVersion", START).path("product").asText().replaceFirst(".*/", "");
      ObjectNode create = exchange.command().put("method", "Target.createTarget");
      create.putObject("params").put("url", host.url("adapters/page.html"));
      String id = ask(create, START).path("targetId").asText();
      ObjectNode attach = exchange.command().put("method", "Target.attachToTarget");
      attach.putObject("params").put("targetId", id).put("flatten", true);
      target = ask(attach, START).path("sessionId").asText();
      JsonNode enabled = ask("Inspector.enable", START);
      for (long waited = 0; !evaluate("typeof obeyDriver", START).asText().equals("function"); ) {
        waited += POLL_MILLIS;
        if (waited > START.toMillis()) {
          throw new EngineFailure("its page did not load");
        }
        Thread.sleep(POLL_MILLIS);
      }
      if (!evaluate("'locks' in navigator", START).asBoolean()) {
        throw new EngineFailure("version " + version + " has no navigator.locks");
      }
    }

    private JsonNode ask(String method, Duration bound) throws EngineFailure, InterruptedException {
      return ask(exchange.command().put("method", method), bound);
    }

    private JsonNode ask(ObjectNode command, Duration bound)
        throws EngineFailure, InterruptedException {
      if (!target.isEmpty()) {
        command.put("sessionId", target);
      }
      return Exchange.field(exchange.ask(command, bound), "result");
    }

    private JsonNode evaluate(String expression, Duration bound)
        throws EngineFailure, InterruptedException {
      ObjectNode command = exchange.command().put("method", "Runtime.evaluate");
      command
          .putObject("params")
          .put("expression", expression)
          .put("awaitPromise", true)
          .put("returnByValue", true);
      JsonNode answer = ask(command, bound);
      if (answer.has("exceptionDetails")) {
        throw new EngineFailure(
            Exchange.line(answer.path("exceptionDetails").path("text").asText()));
      }
      return answer.path("result").path("value");
    }

    @Override
    public String version() {
      return version;
    }

    @Override
    public JsonNode call(String workload, String call, int size, Duration bound)
        throws EngineFailure, InterruptedException {
      ObjectNode command = exchange.command(workload, call, size);
      return Exchange.field(evaluate("obeyDriver(" + command + ")", bound), "value");
    }

    @Override
    public void collect(Duration bound) throws EngineFailure, InterruptedException {
      JsonNode unused = ask("HeapProfiler.collectGarbage", bound);
    }

    @Override
    public long residentBytes() throws EngineFailure {
      return Processes.residentBytes(child);
    }

    @Override
    public void close() {
      processes.end(child);
      host.close();
      profile.close();
    }
  }
}
