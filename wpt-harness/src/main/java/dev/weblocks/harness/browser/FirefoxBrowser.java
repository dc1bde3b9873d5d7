package dev.weblocks.harness.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Firefox, controlled with WebDriver BiDi over a WebSocket. */
final class FirefoxBrowser extends BrowserProcess {

  static final List<String> PROGRAMS = List.of("firefox", "firefox-esr");

  private static final Duration START = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 20;

  /** The file in the profile in which Firefox states its port. */
  private static final String PORT_FILE = "WebDriverBiDiServer.json";

  /**
   * The shell code that sends all output to standard error, since Firefox blocks when a pipe that
   * is not read is full.
   */
  private static final String ALL_TO_ERRORS = "exec \"$0\" \"$@\" </dev/null >&2";

  /** Preferences in addition to those that the browser sets itself when it is controlled. */
  private static final Map<String, Object> PREFERENCES =
      Map.ofEntries(
          Map.entry("dom.disable_open_during_load", false),
          Map.entry("dom.popup_maximum", -1),
          Map.entry("dom.min_background_timeout_value", 4),
          Map.entry("dom.timeout.enable_budget_timer_throttling", false),
          Map.entry("dom.ipc.processPriorityManager.enabled", false),
          Map.entry("browser.sessionstore.interval", 1_000_000_000),
          Map.entry("browser.sessionstore.max_tabs_undo", 0),
          Map.entry("browser.shell.checkDefaultBrowser", false),
          Map.entry("browser.chrome.site_icons", false),
          Map.entry("toolkit.cosmeticAnimations.enabled", false),
          // a proxy that does not exist for all hosts except localhost
          Map.entry("network.proxy.type", 1),
          Map.entry("network.proxy.http", "127.0.0.1"),
          Map.entry("network.proxy.http_port", 9),
          Map.entry("network.proxy.ssl", "127.0.0.1"),
          Map.entry("network.proxy.ssl_port", 9));

  private final HttpClient client =
      HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
  private @Nullable DebugConnection connection;
  private String version = "";

  private FirefoxBrowser(
      Processes processes, TemporaryDirectory profile, Processes.Child child, Listener listener) {
    super(processes, profile, child, listener);
  }

  static BrowserProcess start(
      String program,
      Processes processes,
      TemporaryDirectory profile,
      int windows,
      boolean keepsPages,
      Listener listener)
      throws EngineFailure {
    try {
      Files.writeString(profile.path().resolve("user.js"), preferences(windows, keepsPages));
    } catch (IOException e) {
      throw new EngineFailure("its profile cannot be created: " + e.getMessage());
    }
    Processes.Child child =
        processes.start(
            List.of(
                "sh",
                "-c",
                ALL_TO_ERRORS,
                program,
                "--headless",
                "--no-remote",
                "--profile",
                profile.path().toString(),
                "--remote-debugging-port=0"),
            Map.of("MOZ_CRASHREPORTER_DISABLE", "1"));
    return new FirefoxBrowser(processes, profile, child, listener);
  }

  private static String preferences(int windows, boolean keepsPages) {
    StringBuilder text = new StringBuilder();
    text.append("user_pref(\"dom.ipc.processCount.webIsolated\", " + windows + ");\n");
    if (!keepsPages) {
      text.append("user_pref(\"browser.sessionhistory.max_total_viewers\", 0);\n");
    }
    PREFERENCES.forEach((name, value) ->
        text.append("user_pref(\"%s\", ".formatted(name))
            .append(value instanceof String ? "\"" + value + "\"" : value)
            .append(");\n"));
    return text.toString();
  }

  @Override
  void open() throws EngineFailure, InterruptedException {
    DebugConnection opened = connect(awaitPort());
    connection = opened;
    ObjectNode session = opened.command("session.new");
    session.withObject("/params").putObject("capabilities");
    version = opened.ask(session).path("capabilities").path("browserVersion").asText();
    ObjectNode subscribe = opened.command("session.subscribe");
    subscribe.withObject("/params").putArray("events").add("browsingContext.contextCreated");
    JsonNode unused = opened.ask(subscribe);
  }

  private URI awaitPort() throws EngineFailure, InterruptedException {
    Path file = profile.path().resolve(PORT_FILE);
    long deadline = System.nanoTime() + START.toNanos();
    while (System.nanoTime() - deadline < 0) {
      try {
        JsonNode server = JsonMapper.builder().build().readTree(Files.readAllBytes(file));
        if (server.has("ws_port")) {
          return URI.create(
              "ws://%s:%s/session"
                  .formatted(
                      server.path("ws_host").asText("127.0.0.1"), server.path("ws_port").asText()));
        }
      } catch (IOException e) {
        // not written yet, or not completely
      }
      if (child.process().waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new EngineFailure("the process has ended");
      }
    }
    throw new EngineFailure("no answer within " + START.toSeconds() + " s");
  }

  private DebugConnection connect(URI address) throws EngineFailure, InterruptedException {
    Messages messages = new Messages();
    WebSocket socket;
    try {
      socket =
          client
              .newWebSocketBuilder()
              .buildAsync(address, messages)
              .get(START.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new EngineFailure("no connection to " + address + ": " + e.getMessage());
    }
    DebugConnection made =
        new DebugConnection(
            message -> {
              try {
                socket.sendText(message, true).join();
              } catch (CompletionException e) {
                throw new IOException(e);
              }
            },
            new DebugConnection.Listener() {
              @Override
              public void event(String method, JsonNode parameters) {
                JsonNode opener = parameters.path("originalOpener");
                if (method.equals("browsingContext.contextCreated") && opener.isTextual()) {
                  listener.opened(parameters.path("context").asText(), opener.asText());
                }
              }

              @Override
              public void ended() {
                listener.ended();
              }
            });
    messages.receiver = made;
    socket.request(1);
    return made;
  }

  /** Joins the parts of messages. Receives nothing before the first request. */
  private static final class Messages implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();
    private volatile @Nullable DebugConnection receiver;

    @Override
    public void onOpen(WebSocket socket) {}

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        String message = parts.toString();
        parts.setLength(0);
        DebugConnection to = receiver;
        if (to != null) {
          to.receive(message);
        }
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      end();
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      end();
    }

    private void end() {
      DebugConnection to = receiver;
      if (to != null) {
        to.end();
      }
    }
  }

  private DebugConnection connection() {
    if (connection == null) {
      throw new IllegalStateException("not started");
    }
    return connection;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public String openWindow() throws EngineFailure, InterruptedException {
    ObjectNode create = connection().command("browsingContext.create");
    create.withObject("/params").put("type", "window");
    return connection().ask(create).path("context").asText();
  }

  @Override
  public void load(String window, String url) {
    ObjectNode navigate = connection().command("browsingContext.navigate");
    navigate.withObject("/params").put("context", window).put("url", url).put("wait", "none");
    connection().tell(navigate);
  }

  @Override
  public void closeWindow(String window) {
    ObjectNode close = connection().command("browsingContext.close");
    close.withObject("/params").put("context", window);
    connection().tell(close);
  }

  @Override
  public String evaluate(String window, String expression, Duration bound)
      throws EngineFailure, InterruptedException {
    ObjectNode evaluate = connection().command("script.evaluate");
    ObjectNode parameters = evaluate.withObject("/params");
    parameters.put("expression", expression).put("awaitPromise", true);
    parameters.putObject("target").put("context", window);
    JsonNode outcome = connection().await(evaluate, connection().send(evaluate), bound);
    JsonNode exception = outcome.path("exceptionDetails");
    if (!exception.isMissingNode()) {
      throw new EngineFailure(exception.path("text").asText());
    }
    return text(outcome.path("result").path("value"));
  }

  /** Does nothing: WebDriver BiDi has no such command. */
  @Override
  public void collectGarbage(String window, Duration bound) {}

  @Override
  public void close() {
    super.close();
    client.shutdownNow();
  }
}
