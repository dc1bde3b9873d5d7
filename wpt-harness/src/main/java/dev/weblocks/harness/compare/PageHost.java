package dev.weblocks.harness.compare;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weblocks.file.ServedDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An HTTP server of files for browsers on this machine, which treat its origin as secure. */
public final class PageHost implements AutoCloseable {

  private final HttpServer server;
  private final ServedDirectory files;

  /**
   * @param root the directory of the files
   */
  public PageHost(Path root) throws IOException {
    files = new ServedDirectory(root);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(1);
      Path file = files.find(List.of(path.split("/", -1)));
      if (file == null || !Files.isRegularFile(file)) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] bytes = files.read(file);
      String type = file.toString().endsWith(".html") ? "text/html" : "text/javascript";
      exchange.getResponseHeaders().set("Content-Type", type + ";charset=utf-8");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  public String url(String path) {
    return "http://weblocks.localhost:" + server.getAddress().getPort() + "/" + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
