package dev.weblocks.harness.differ.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.compare.ChromiumCommand;
import dev.weblocks.harness.compare.EngineFailure;
import dev.weblocks.harness.compare.Processes;
import dev.weblocks.harness.compare.TemporaryDirectory;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Chromium, controlled with the DevTools protocol over a pipe. It ends when this process ends. */
final class ChromiumBrowser implements RemoteBrowser {

  private static final List<String> FLAGS =
      List.of(
          "--disable-backgrounding-occluded-windows",
          "--disable-popup-blocking",
          "--no-proxy-server",
          "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost");

  private final Processes processes;
  private final TemporaryDirectory profile;
  private final Processes.Child child;
  private final DebugConnection connection;
  private final Map<String, String> sessions = new ConcurrentHashMap<>(); // by window
  private String version = "";

  private ChromiumBrowser(
      Processes processes, TemporaryDirectory profile, Processes.Child child, Listener listener) {
    this.processes = processes;
    this.profile = profile;
    this.child = child;
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
                JsonNode target = parameters.path("targetInfo");
                if (method.equals("Target.targetCreated") && target.has("openerId")) {
                  listener.opened(
                      target.path("targetId").asText(), target.path("openerId").asText());
                }
              }

              @Override
              public void ended() {
                listener.ended();
              }
            });
  }

  /**
   * Starts a browser.
   *
   * @param sandbox whether the browser's sandbox is on; with it, the browser refuses to run as root
   * @param keepsPages whether the back-forward cache is on
   */
  static RemoteBrowser start(String program, boolean sandbox, boolean keepsPages, Listener listener)
      throws EngineFailure, InterruptedException {
    List<String> flags = new ArrayList<>(FLAGS);
    if (!keepsPages) {
      flags.add("--disable-back-forward-cache");
    }
    TemporaryDirectory profile;
    try {
      profile = new TemporaryDirectory("weblocks-chromium");
    } catch (IOException e) {
      throw new EngineFailure("its profile cannot be created: " + e.getMessage());
    }
    Processes processes = new Processes(profile.path());
    ChromiumBrowser browser;
    try {
      browser =
          new ChromiumBrowser(
              processes,
              profile,
              processes.start(ChromiumCommand.withPipe(program, sandbox, profile.path(), flags)),
              listener);
    } catch (EngineFailure e) {
      profile.close();
      throw e;
    }
    try {
      browser.open();
      return browser;
    } catch (EngineFailure e) {
      browser.close();
      throw new EngineFailure("does not start: " + e.reason() + browser.lastWords());
    } catch (InterruptedException e) {
      browser.close();
      throw e;
    }
  }

  private void open() throws EngineFailure, InterruptedException {
    Thread.ofPlatform().daemon().name("weblocks-differ-chromium").start(this::read);
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
  public String lastWords() {
    return child.lastWords();
  }

  @Override
  public void close() {
    boolean interrupted = Thread.interrupted(); // else this would not wait for the processes
    processes.close();
    profile.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
