package dev.weblocks.harness.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chromium, controlled with the DevTools protocol over a pipe. It ends when this process ends. */
final class ChromiumBrowser extends BrowserProcess {

  static final List<String> PROGRAMS =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  /**
   * The shell code that moves the pipe from standard input and output to file descriptors 3 and 4,
   * where Chromium expects it.
   */
  private static final String PIPE = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null";

  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--remote-debugging-pipe",
          "--no-first-run",
          "--no-default-browser-check",
          "--disable-gpu",
          "--disable-extensions",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--disable-background-timer-throttling",
          "--disable-renderer-backgrounding",
          "--disable-backgrounding-occluded-windows",
          "--disable-popup-blocking",
          "--no-proxy-server",
          "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost");

  private final DebugConnection connection;
  private final Map<String, String> sessions = new ConcurrentHashMap<>(); // by window

  /** The answers that pages owe, by window. */
  private final Map<String, CompletableFuture<JsonNode>> owed = new ConcurrentHashMap<>();

  private String version = "";

  private ChromiumBrowser(
      Processes processes, TemporaryDirectory profile, Processes.Child child, Listener listener) {
    super(processes, profile, child, listener);
    OutputStream out = child.process().getOutputStream();
    connection =
        new DebugConnection(
            message -> {
              out.write((message + '\0').getBytes(StandardCharsets.UTF_8));
              out.flush();
            },
            new DebugConnection.Listener() {
              @Override
              public void event(String method, JsonNode parameters) {
                receive(method, parameters);
              }

              @Override
              public void ended() {
                listener.ended();
              }
            });
  }

  private void receive(String event, JsonNode parameters) {
    JsonNode target = parameters.path("targetInfo");
    if (event.equals("Target.targetCreated") && target.has("openerId")) {
      listener.opened(target.path("targetId").asText(), target.path("openerId").asText());
    }
    if (event.equals("Target.targetCrashed")) {
      CompletableFuture<JsonNode> answer = owed.get(parameters.path("targetId").asText());
      if (answer != null) {
        answer.completeExceptionally(new EngineFailure("the page has crashed"));
      }
    }
  }

  static BrowserProcess start(
      String program,
      boolean sandbox,
      Processes processes,
      TemporaryDirectory profile,
      boolean keepsPages,
      Listener listener)
      throws EngineFailure {
    List<String> command = new ArrayList<>(List.of("sh", "-c", PIPE, program));
    command.addAll(FLAGS);
    command.add("--user-data-dir=" + profile.path());
    if (!keepsPages) {
      command.add("--disable-back-forward-cache");
    }
    if (!sandbox) {
      command.add("--no-sandbox");
    }
    return new ChromiumBrowser(processes, profile, processes.start(command), listener);
  }

  @Override
  void open() throws EngineFailure, InterruptedException {
    Thread.ofPlatform().daemon().name("weblocks-chromium").start(this::read);
    version =
        connection
            .ask(connection.command("Browser.getVersion"))
            .path("product")
            .asText()
            .replaceFirst(".*/", "");
    ObjectNode discover = connection.command("Target.setDiscoverTargets");
    parameters(discover).put("discover", true).putArray("filter").addObject().put("type", "page");
    JsonNode unused = connection.ask(discover);
  }

  private void read() {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    try (InputStream in = new BufferedInputStream(child.process().getInputStream())) {
      for (int each = in.read(); each >= 0; each = in.read()) {
        if (each == 0) {
          connection.receive(message.toString(StandardCharsets.UTF_8));
          message.reset();
        } else {
          message.write(each);
        }
      }
    } catch (IOException e) {
      // same as if the browser had closed the pipe
    }
    connection.end();
  }

  private static ObjectNode parameters(ObjectNode command) {
    return command.withObject("/params");
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public String openWindow() throws EngineFailure, InterruptedException {
    ObjectNode create = connection.command("Target.createTarget");
    parameters(create).put("url", "about:blank").put("newWindow", true);
    String window = connection.ask(create).path("targetId").asText();
    ObjectNode attach = connection.command("Target.attachToTarget");
    parameters(attach).put("targetId", window).put("flatten", true);
    sessions.put(window, connection.ask(attach).path("sessionId").asText());
    return window;
  }

  @Override
  public void load(String window, String url) {
    ObjectNode navigate = connection.command("Page.navigate");
    parameters(navigate).put("url", url);
    connection.tell(navigate.put("sessionId", sessions.get(window)));
  }

  @Override
  public void closeWindow(String window) {
    sessions.remove(window);
    ObjectNode close = connection.command("Target.closeTarget");
    parameters(close).put("targetId", window);
    connection.tell(close);
  }

  @Override
  public String evaluate(String window, String expression, Duration bound)
      throws EngineFailure, InterruptedException {
    ObjectNode evaluate = connection.command("Runtime.evaluate");
    parameters(evaluate)
        .put("expression", expression)
        .put("awaitPromise", true)
        .put("returnByValue", true);
    CompletableFuture<JsonNode> answer =
        connection.send(evaluate.put("sessionId", sessions.get(window)));
    owed.put(window, answer);
    try {
      JsonNode outcome = connection.await(evaluate, answer, bound);
      JsonNode exception = outcome.path("exceptionDetails");
      if (!exception.isMissingNode()) {
        throw new EngineFailure(exception.path("text").asText());
      }
      return text(outcome.path("result").path("value"));
    } finally {
      owed.remove(window);
    }
  }

  @Override
  public void collectGarbage(String window, Duration bound)
      throws EngineFailure, InterruptedException {
    ObjectNode collect = connection.command("HeapProfiler.collectGarbage");
    collect.put("sessionId", sessions.get(window));
    JsonNode unused = connection.await(collect, connection.send(collect), bound);
  }
}
