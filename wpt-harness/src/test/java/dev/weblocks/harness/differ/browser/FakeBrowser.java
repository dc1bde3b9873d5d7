package dev.weblocks.harness.differ.browser;

import dev.weblocks.harness.browser.RemoteBrowser;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A browser without scripts: it loads the first document of a program, and obeys the lines of its
 * text. {@code log TEXT} reports a line, {@code open WINDOW} and {@code open WINDOW from OPENER}
 * open windows, {@code end} ends the browser. Without a line {@code log} there is no report.
 */
final class FakeBrowser implements RemoteBrowser {

  final Set<String> windows = ConcurrentHashMap.newKeySet();
  final List<String> hosts = new CopyOnWriteArrayList<>();
  private final Listener listener;
  private int lastWindow;
  private volatile boolean over;

  FakeBrowser(Listener listener) {
    this.listener = listener;
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public String openWindow() throws EngineFailure {
    if (over) {
      throw new EngineFailure("the process has ended");
    }
    String window = "w" + ++lastWindow;
    windows.add(window);
    return window;
  }

  @Override
  public void load(String window, String url) {
    if (!url.equals("about:blank") && !over) {
      hosts.add(URI.create(url).getAuthority());
      Thread.ofPlatform().daemon().start(() -> obey(window, URI.create(url)));
    }
  }

  @Override
  public String evaluate(String window, String expression, Duration bound) throws EngineFailure {
    throw new EngineFailure("it has no scripts");
  }

  @Override
  public void collectGarbage(String window, Duration bound) {}

  @Override
  public long residentBytes() {
    return 0;
  }

  private void obey(String window, URI url) {
    try {
      String document = body(exchange("GET", url, url.getPath(), ""));
      for (String line : document.lines().toList()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "log" ->
              exchange(
                  "POST",
                  url,
                  "/report",
                  "{\"complete\": true, \"logs\": {\"main\": [\"%s\"]}}".formatted(line));
          case "open" -> {
            windows.add(words[1]);
            listener.opened(words[1], words.length > 3 ? words[3] : window);
          }
          case "end" -> end();
          default -> {} // silence
        }
      }
    } catch (IOException serverHasClosed) {
      // the run is over
    }
  }

  void end() {
    over = true;
    listener.ended();
  }

  /** Sends a request, and returns the response with its headers. */
  static String exchange(String method, URI url, String path, String body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      socket
          .getOutputStream()
          .write(
              ("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %s\r\n\r\n%s"
                      .formatted(method, path, url.getAuthority(), bytes.length, body))
                  .getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static String body(String response) {
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  @Override
  public void closeWindow(String window) {
    windows.remove(window);
  }

  @Override
  public String lastWords() {
    return " (last words)";
  }

  @Override
  public void close() {
    over = true;
    windows.clear();
  }
}
