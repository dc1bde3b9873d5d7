package dev.weblocks.harness.compare;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** An HTTP server of files for browsers on this machine, which treat its origin as secure. */
final class PageHost implements AutoCloseable {

  private final HttpServer server;
  private final Path root;

  PageHost(Path root) throws IOException {
    this.root = root;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Path file = root.resolve(exchange.getRequestURI().getPath().substring(1)).normalize();
      if (!file.startsWith(root) || !Files.isRegularFile(file)) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] bytes = Files.readAllBytes(file);
      String type = file.toString().endsWith(".html") ? "text/html" : "text/javascript";
      exchange.getResponseHeaders().set("Content-Type", type + ";charset=utf-8");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  String url(String path) {
    return "http://weblocks.localhost:" + server.getAddress().getPort() + "/" + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
