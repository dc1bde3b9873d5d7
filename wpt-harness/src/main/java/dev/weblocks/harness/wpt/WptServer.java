package dev.weblocks.harness.wpt;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.harness.wpt.handlers.Handler;
import dev.weblocks.harness.wpt.handlers.Handlers;
import dev.weblocks.harness.wpt.handlers.Reply;
import dev.weblocks.harness.wpt.handlers.Request;
import dev.weblocks.harness.wpt.handlers.Stash;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * WPT's server without a socket. It answers under WPT's host names from files in memory, generates
 * the wrapper pages, replaces Python handlers ({@link Handlers}) and applies pipes ({@link Pipes}).
 * It receives the results that a page posts. One instance per test. Thread-safe.
 *
 * <p>Unsupported Python handlers, pipes and {@code .asis} files get status 501. Byte ranges are
 * ignored, as HTTP allows.
 */
public final class WptServer implements ResourceLoader {

  /** The path that {@code testharnessreport.js} posts to, on any origin of this server. */
  public static final String RESULTS_PATH = "/weblocks/results";

  private static final String REPORT_SCRIPT_PATH = "/resources/testharnessreport.js";
  private static final List<String> HIDDEN = List.of("/tools/", "/_certs/", "/results/");

  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(200, "OK"),
          Map.entry(201, "Created"),
          Map.entry(202, "Accepted"),
          Map.entry(204, "No Content"),
          Map.entry(205, "Reset Content"),
          Map.entry(206, "Partial Content"),
          Map.entry(300, "Multiple Choices"),
          Map.entry(301, "Moved Permanently"),
          Map.entry(302, "Found"),
          Map.entry(303, "See Other"),
          Map.entry(304, "Not Modified"),
          Map.entry(307, "Temporary Redirect"),
          Map.entry(308, "Permanent Redirect"),
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(410, "Gone"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"),
          Map.entry(503, "Service Unavailable"));

  private final WptHosts hosts;
  private final ResourceLoader elsewhere;
  private final WptFiles files;
  private final String reportScript;
  private final ResultCollector results;
  private final Substitution substitution;
  private final HeaderFiles headerFiles;
  private final GeneratedResources generated;
  private final Timers timers;
  private final Stash stash = new Stash();

  /**
   * Creates a server for one test.
   *
   * @param files may be shared with other servers
   * @param reportScript the text served as {@code /resources/testharnessreport.js}
   * @param ids creates the values of {@code {{uuid()}}}
   * @param timers for delayed answers
   * @param elsewhere answers requests to hosts and ports that are not WPT's; null if such requests
   *     fail
   */
  public WptServer(
      WptHosts hosts,
      WptFiles files,
      String reportScript,
      ResultCollector results,
      Supplier<UUID> ids,
      Timers timers,
      @Nullable ResourceLoader elsewhere) {
    this.hosts = hosts;
    this.elsewhere = elsewhere == null ? WptServer::noServer : elsewhere;
    this.files = files;
    this.reportScript = reportScript;
    this.results = results;
    this.timers = timers;
    this.substitution = new Substitution(hosts, ids);
    this.headerFiles = new HeaderFiles(files, substitution);
    this.generated = new GeneratedResources(files);
  }

  @Override
  public CompletionStage<ResourceResponse> load(ResourceRequest request) {
    Optional<RequestUrl> url = RequestUrl.parse(request.url());
    if (url.isEmpty() || !hosts.serves(url.get().scheme(), url.get().host(), url.get().port())) {
      return elsewhere.load(request);
    }
    Reply reply = answer(request, url.get());
    String usual = REASONS.getOrDefault(reply.status(), "");
    ResourceResponse response =
        new ResourceResponse(
            request.url(),
            reply.status(),
            Objects.requireNonNullElse(reply.reason(), usual),
            // As received over a network: without blanks around a value.
            reply.headers().stream()
                .map(header -> Map.entry(header.getKey(), header.getValue().strip()))
                .toList(),
            request.method().equals("HEAD") ? new byte[0] : reply.body());
    return reply.delay().isZero()
        ? CompletableFuture.completedFuture(response)
        : later(response, reply.delay());
  }

  private CompletableFuture<ResourceResponse> later(ResourceResponse response, Duration delay) {
    CompletableFuture<ResourceResponse> answer = new CompletableFuture<>();
    Timers.Timer timer = timers.schedule(delay, () -> answer.complete(response));
    // Also runs when the answer is cancelled.
    CompletableFuture<ResourceResponse> unused =
        answer.whenComplete((done, failure) -> timer.cancel());
    return answer;
  }

  private static CompletionStage<ResourceResponse> noServer(ResourceRequest request) {
    return CompletableFuture.failedFuture(
        new ConnectException("no server answers at " + request.url()));
  }

  private Reply answer(ResourceRequest request, RequestUrl url) {
    try {
      if (url.path().equals(RESULTS_PATH)) {
        return takeResults(request);
      }
      if (url.path().equals("/resources/WebIDLParser.js")) {
        url = url.withPath("/resources/webidl2/lib/webidl2.js");
      }
      String path = url.decodedPath();
      if (HIDDEN.stream().anyMatch(path::startsWith)) {
        throw new ServerFailure(404, path + " is not served");
      }
      Optional<Handler> handler = Handlers.at(path);
      Map<String, String> requestHeaders = headers(request, url);
      Reply reply;
      if (handler.isPresent()) {
        reply = handled(handler.get(), request, url, path);
      } else {
        requireTwin(path);
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
          throw new ServerFailure(405, request.method() + " is not allowed for " + path);
        }
        reply = find(url, path, requestHeaders);
      }
      return piped(reply, url, requestHeaders);
    } catch (ServerFailure e) {
      if (e.status() >= 500) {
        results.note(e.getMessage());
      }
      return failure(e.status(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      results.note(url.path() + " cannot be read: " + e);
      return failure(500, url.path() + " cannot be read: " + e);
    }
  }

  private Reply handled(Handler handler, ResourceRequest request, RequestUrl url, String path)
      throws ServerFailure {
    String host = url.host() + ":" + url.port();
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    if (request.headers().stream().noneMatch(h -> h.getKey().equalsIgnoreCase("Host"))) {
      headers.add(Map.entry("Host", host));
    }
    headers.addAll(request.headers());
    try {
      return handler.handle(
          new Request(
              request.method(),
              url.scheme() + "://" + host,
              url.path(),
              url.query(),
              headers,
              request.body()),
          stash);
    } catch (IllegalArgumentException e) {
      throw new ServerFailure(500, "the handler " + path + " failed: " + e.getMessage());
    }
  }

  private Reply piped(Reply reply, RequestUrl url, Map<String, String> requestHeaders)
      throws ServerFailure {
    List<String> pipes = url.parameters("pipe");
    if (pipes.isEmpty() || pipes.getLast().isEmpty()) {
      return reply;
    }
    return new Pipes(
            pipes.getLast(),
            (content, escape) -> substitution.apply(content, url, requestHeaders, escape))
        .apply(reply);
  }

  private Reply takeResults(ResourceRequest request) throws ServerFailure {
    if (!request.method().equals("POST")) {
      throw new ServerFailure(405, RESULTS_PATH + " takes POST only, not " + request.method());
    }
    try {
      results.accept(request.body());
    } catch (IllegalArgumentException e) {
      results.note(e.getMessage());
      throw new ServerFailure(400, String.valueOf(e.getMessage()));
    }
    return Reply.EMPTY.adding("Content-Type", "text/plain");
  }

  private void requireTwin(String path) throws IOException, ServerFailure {
    if (path.endsWith(".py")) {
      if (!files.exists(path)) {
        throw new ServerFailure(404, path + " does not exist");
      }
      throw new ServerFailure(501, "the handler " + path + " has no implementation in Java");
    }
    if (path.endsWith(".asis")) {
      throw new ServerFailure(501, path + ": raw responses (.asis) are not supported");
    }
  }

  private static Map<String, String> headers(ResourceRequest request, RequestUrl url) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Host", url.host() + ":" + url.port());
    request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
    return headers;
  }

  private Reply find(RequestUrl url, String path, Map<String, String> requestHeaders)
      throws IOException, ServerFailure {
    if (path.equals(REPORT_SCRIPT_PATH)) {
      return Reply.EMPTY
          .adding("Content-Type", "text/javascript; charset=utf-8")
          .withBody(reportScript.getBytes(StandardCharsets.UTF_8));
    }
    Optional<GeneratedResources.Generated> wrapper =
        files.exists(path) ? Optional.empty() : generated.find(url);
    if (wrapper.isPresent()) {
      GeneratedResources.Generated found = wrapper.get();
      // Headers from files replace those of the wrapper, and later lines replace earlier ones.
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      headers.put("Content-Type", found.contentType());
      headerFiles
          .of(found.sourcePath(), url, requestHeaders)
          .forEach(header -> headers.put(header.getKey(), header.getValue()));
      byte[] text = found.text().getBytes(StandardCharsets.UTF_8);
      return Reply.EMPTY
          .withHeaders(List.copyOf(headers.entrySet()))
          .withBody(substituted(found.scriptPath(), text, url, requestHeaders));
    }
    byte[] content =
        files.read(path).orElseThrow(() -> new ServerFailure(404, path + " does not exist"));
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.addAll(headerFiles.of(path, url, requestHeaders));
    if (headers.stream().noneMatch(h -> h.getKey().equalsIgnoreCase("Content-Type"))) {
      headers.addFirst(Map.entry("Content-Type", ContentTypes.of(path)));
    }
    return Reply.EMPTY
        .withHeaders(headers)
        .withBody(substituted(path, content, url, requestHeaders));
  }

  private byte[] substituted(
      String path, byte[] content, RequestUrl url, Map<String, String> requestHeaders)
      throws ServerFailure {
    return path.contains(".sub.")
        ? substitution.apply(content, url, requestHeaders, Substitution.escapeFor(path))
        : content;
  }

  private static Reply failure(int status, String text) {
    return Reply.EMPTY
        .withStatus(status)
        .adding("Content-Type", "text/plain; charset=utf-8")
        .withBody((text + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
