package dev.weblocks.wpt;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * WPT's server without a socket: answers under WPT's host names from files in memory, generates the
 * wrapper pages, and takes the results that a page posts. One instance per test. Safe for any
 * number of threads.
 *
 * <p>Without a twin here, and answered with status 501: Python handlers, {@code ?pipe=} and {@code
 * .asis} files. Byte ranges are ignored, as HTTP allows.
 */
public final class WptServer implements ResourceLoader {

  /** Where {@code testharnessreport.js} posts to, on any origin of this server. */
  public static final String RESULTS_PATH = "/weblocks/results";

  private static final String REPORT_SCRIPT_PATH = "/resources/testharnessreport.js";
  private static final List<String> HIDDEN = List.of("/tools/", "/_certs/", "/results/");

  private static final Map<Integer, String> REASONS =
      Map.of(
          200, "OK",
          400, "Bad Request",
          404, "Not Found",
          405, "Method Not Allowed",
          500, "Internal Server Error",
          501, "Not Implemented");

  private final WptHosts hosts;
  private final ResourceLoader elsewhere;
  private final WptFiles files;
  private final String reportScript;
  private final ResultCollector results;
  private final Substitution substitution;
  private final HeaderFiles headerFiles;
  private final GeneratedResources generated;

  /**
   * A server for one test.
   *
   * @param files may be shared with other servers
   * @param reportScript the text served as {@code /resources/testharnessreport.js}
   * @param ids makes what {@code {{uuid()}}} stands for
   */
  public WptServer(
      WptHosts hosts,
      WptFiles files,
      String reportScript,
      ResultCollector results,
      Supplier<UUID> ids) {
    this(hosts, files, reportScript, results, ids, WptServer::nobody);
  }

  /**
   * A server for one test, beside others.
   *
   * @param files may be shared with other servers
   * @param reportScript the text served as {@code /resources/testharnessreport.js}
   * @param ids makes what {@code {{uuid()}}} stands for
   * @param elsewhere answers what goes to hosts and ports that are not WPT's
   */
  public WptServer(
      WptHosts hosts,
      WptFiles files,
      String reportScript,
      ResultCollector results,
      Supplier<UUID> ids,
      ResourceLoader elsewhere) {
    this.hosts = hosts;
    this.elsewhere = elsewhere;
    this.files = files;
    this.reportScript = reportScript;
    this.results = results;
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
    return CompletableFuture.completedFuture(answer(request, url.get()));
  }

  private static CompletionStage<ResourceResponse> nobody(ResourceRequest request) {
    return CompletableFuture.failedFuture(
        new ConnectException("no server answers at " + request.url()));
  }

  private ResourceResponse answer(ResourceRequest request, RequestUrl url) {
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
      requireTwin(url, path);
      if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
        throw new ServerFailure(405, request.method() + " is not allowed for " + path);
      }
      ResourceResponse response = find(request, url, path);
      return request.method().equals("GET")
          ? response
          : respond(request, 200, response.headers(), new byte[0]);
    } catch (ServerFailure e) {
      if (e.status() >= 500) {
        results.note(e.getMessage());
      }
      return failure(request, e.status(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      results.note(url.path() + " cannot be read: " + e);
      return failure(request, 500, url.path() + " cannot be read: " + e);
    }
  }

  private ResourceResponse takeResults(ResourceRequest request) throws ServerFailure {
    if (!request.method().equals("POST")) {
      throw new ServerFailure(405, RESULTS_PATH + " takes POST only, not " + request.method());
    }
    try {
      results.accept(request.body());
    } catch (IllegalArgumentException e) {
      results.note(e.getMessage());
      throw new ServerFailure(400, String.valueOf(e.getMessage()));
    }
    return respond(request, 200, List.of(Map.entry("Content-Type", "text/plain")), new byte[0]);
  }

  private void requireTwin(RequestUrl url, String path) throws IOException, ServerFailure {
    if (path.endsWith(".py")) {
      if (!files.exists(path)) {
        throw new ServerFailure(404, path + " does not exist");
      }
      throw new ServerFailure(501, "the handler " + path + " has no Java twin");
    }
    if (path.endsWith(".asis")) {
      throw new ServerFailure(501, path + ": raw responses (.asis) are not supported");
    }
    Optional<String> pipe = url.parameter("pipe");
    if (pipe.isPresent()) {
      throw new ServerFailure(501, path + ": the pipe '" + pipe.get() + "' is not supported");
    }
  }

  private ResourceResponse find(ResourceRequest request, RequestUrl url, String path)
      throws IOException, ServerFailure {
    if (path.equals(REPORT_SCRIPT_PATH)) {
      return respond(
          request,
          200,
          List.of(Map.entry("Content-Type", "text/javascript; charset=utf-8")),
          reportScript.getBytes(StandardCharsets.UTF_8));
    }
    Map<String, String> requestHeaders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    requestHeaders.put("Host", url.host() + ":" + url.port());
    request.headers().forEach(header -> requestHeaders.put(header.getKey(), header.getValue()));
    Optional<GeneratedResources.Generated> wrapper =
        files.exists(path) ? Optional.empty() : generated.find(url);
    if (wrapper.isPresent()) {
      GeneratedResources.Generated found = wrapper.get();
      // A header file replaces what the wrapper says, and a later line an earlier one.
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      headers.put("Content-Type", found.contentType());
      headerFiles
          .of(found.sourcePath(), url, requestHeaders)
          .forEach(header -> headers.put(header.getKey(), header.getValue()));
      byte[] text = found.text().getBytes(StandardCharsets.UTF_8);
      return respond(
          request,
          200,
          List.copyOf(headers.entrySet()),
          substituted(found.scriptPath(), text, url, requestHeaders));
    }
    byte[] content =
        files.read(path).orElseThrow(() -> new ServerFailure(404, path + " does not exist"));
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.addAll(headerFiles.of(path, url, requestHeaders));
    if (headers.stream().noneMatch(h -> h.getKey().equalsIgnoreCase("Content-Type"))) {
      headers.addFirst(Map.entry("Content-Type", ContentTypes.of(path)));
    }
    return respond(request, 200, headers, substituted(path, content, url, requestHeaders));
  }

  private byte[] substituted(
      String path, byte[] content, RequestUrl url, Map<String, String> requestHeaders)
      throws ServerFailure {
    return path.contains(".sub.")
        ? substitution.apply(content, url, requestHeaders, Substitution.escapeFor(path))
        : content;
  }

  private static ResourceResponse failure(ResourceRequest request, int status, String text) {
    return respond(
        request,
        status,
        List.of(Map.entry("Content-Type", "text/plain; charset=utf-8")),
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static ResourceResponse respond(
      ResourceRequest request, int status, List<Map.Entry<String, String>> headers, byte[] body) {
    return new ResourceResponse(
        request.url(), status, REASONS.getOrDefault(status, ""), headers, body);
  }
}
