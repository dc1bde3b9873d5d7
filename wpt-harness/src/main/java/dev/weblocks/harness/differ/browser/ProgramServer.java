package dev.weblocks.harness.differ.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weblocks.harness.differ.Observation;
import dev.weblocks.harness.differ.ProgramFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A server of programs on the loopback interface. Each has a host of its own, which resolves to
 * this machine and is a secure context. Thread-safe.
 */
final class ProgramServer implements AutoCloseable {

  private static final String SITE = ".weblocks.localhost";
  private static final int THREADS = 4;

  private final HttpServer server;
  private final ExecutorService executor;
  private final BiConsumer<String, Observation> reports;
  private final Map<String, ProgramFiles> programs = new ConcurrentHashMap<>(); // by host
  private int lastNumber;

  /**
   * Starts a server.
   *
   * @param reports receives the host and observation of each program that reports, on any thread
   */
  ProgramServer(BiConsumer<String, Observation> reports) throws IOException {
    this.reports = reports;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    executor =
        Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("weblocks-differ-server-", 0).factory());
    server.setExecutor(executor);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Serves a program on a host that was never used before, and returns the host with its port. */
  synchronized String add(ProgramFiles program) {
    String host = "p" + ++lastNumber + SITE + ":" + server.getAddress().getPort();
    programs.put(host, program);
    return host;
  }

  /** Stops serving a program. Its further reports are ignored. */
  void remove(String host) {
    programs.remove(host);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
      String path = exchange.getRequestURI().getPath();
      ProgramFiles program = programs.get(host);
      if (program == null) {
        exchange.sendResponseHeaders(404, -1);
      } else if (path.equals(ProgramFiles.REPORT) && exchange.getRequestMethod().equals("POST")) {
        report(exchange, host);
      } else {
        send(exchange, path, program.files().get(path));
      }
    }
  }

  private void report(HttpExchange exchange, String host) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Observation observation;
    try {
      observation = Observation.ofReport(body);
    } catch (IllegalArgumentException e) {
      exchange.sendResponseHeaders(400, -1);
      return;
    }
    reports.accept(host, observation);
    exchange.sendResponseHeaders(204, -1);
  }

  private static void send(HttpExchange exchange, String path, @Nullable String text)
      throws IOException {
    if (text == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String type = path.endsWith(".html") ? "text/html" : "text/javascript";
    exchange.getResponseHeaders().set("Content-Type", type + ";charset=utf-8");
    // with no-store, browsers may not keep a page for going back
    exchange.getResponseHeaders().set("Cache-Control", "no-cache");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
