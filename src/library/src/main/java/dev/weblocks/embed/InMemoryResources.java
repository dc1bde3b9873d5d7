package dev.weblocks.embed;

import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import dev.weblocks.utf8.Utf8;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A builder for a loader of resources in memory. The loader answers at once, so it suits any
 * driver. The builder is not thread-safe; the loader that {@link #build()} returns is.
 *
 * {@snippet file="dev/weblocks/embed/WindowExamplesTest.java" region="inMemoryResources"}
 */
public final class InMemoryResources {

  private final Map<String, Function<ResourceRequest, ResourceResponse>> byUrl =
      new LinkedHashMap<>();

  InMemoryResources() {}

  /**
   * Adds a resource, or replaces one; its type is derived from the file extension of its URL.
   *
   * @param url absolute; its fragment is ignored
   * @param text sent as UTF-8
   * @throws IllegalArgumentException if the URL cannot be parsed
   */
  public InMemoryResources put(String url, String text) {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(text, "text");
    String path = UrlSerializer.serializePath(UrlParser.parseAbsolute(url));
    return put(url, MediaTypes.of(path.endsWith("/") ? "html" : path), Utf8.encode(text));
  }

  /**
   * Adds a resource, or replaces one.
   *
   * @param url absolute; its fragment is ignored
   * @param contentType the value of its {@code Content-Type} header
   * @param body not copied; must not be changed afterwards
   * @throws IllegalArgumentException if the URL cannot be parsed
   */
  public InMemoryResources put(String url, String contentType, byte[] body) {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
    return put(
        new ResourceResponse(
            url, 200, "OK", List.of(Map.entry("Content-Type", contentType)), body));
  }

  /**
   * Adds a resource, or replaces one.
   *
   * @param response the response; served at its URL
   * @throws IllegalArgumentException if the URL cannot be parsed
   */
  public InMemoryResources put(ResourceResponse response) {
    Objects.requireNonNull(response, "response");
    return put(response.url(), request -> response);
  }

  /**
   * Adds or replaces a resource whose response is made for each request.
   *
   * @param url absolute; its fragment is ignored
   * @param answer called on any thread of the driver, possibly on several at once; an exception
   *     becomes a network error
   * @throws IllegalArgumentException if the URL cannot be parsed
   */
  public InMemoryResources put(String url, Function<ResourceRequest, ResourceResponse> answer) {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(answer, "answer");
    byUrl.put(UrlSerializer.serialize(UrlParser.parseAbsolute(url), true), answer);
    return this;
  }

  /**
   * Adds all files of a directory and its subdirectories, with their current contents.
   *
   * @param base the absolute URL of the directory, such as {@code https://one.test/}
   * @param root the directory; symbolic links in it are not followed
   * @throws IllegalArgumentException if the URL cannot be the URL of a directory
   * @throws IOException if a file cannot be read
   */
  public InMemoryResources directory(String base, Path root) throws IOException {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(root, "root");
    UrlRecord start = UrlParser.parseAbsolute(DirectoryLoader.baseOf(base));
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files =
          all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .sorted()
              .toList();
    }
    for (Path file : files) {
      StringBuilder relative = new StringBuilder("./");
      for (Path name : root.relativize(file)) {
        relative.append(relative.length() > 2 ? "/" : "").append(escaped(name.toString()));
      }
      UrlRecord url = UrlParser.parse(relative.toString(), start);
      if (url == null) {
        throw new IllegalArgumentException(
            "the path of file " + file + " cannot be converted to a URL; rename the file");
      }
      byte[] bytes = Files.readAllBytes(file);
      put(url.href(), MediaTypes.of(file.toString()), bytes);
      if (file.getFileName().toString().equals("index.html")) {
        put(
            url.href().substring(0, url.href().length() - "index.html".length()),
            MediaTypes.of("html"),
            bytes);
      }
    }
    return this;
  }

  /** Escapes the characters of a file name that have a meaning in a URL. */
  private static String escaped(String name) {
    return name.replace("%", "%25").replace("?", "%3F").replace("#", "%23").replace("\\", "%5C");
  }

  /**
   * Creates a loader of the resources added so far. A URL that was not added is looked up without
   * its query; if that was not added either, the response has status 404.
   */
  public ResourceLoader build() {
    Map<String, Function<ResourceRequest, ResourceResponse>> resources = Map.copyOf(byUrl);
    return request -> {
      String url = request.url();
      int query = url.indexOf('?');
      Function<ResourceRequest, ResourceResponse> answer = resources.get(url);
      if (answer == null && query >= 0) {
        answer = resources.get(url.substring(0, query));
      }
      return CompletableFuture.completedFuture(
          answer == null
              ? new ResourceResponse(url, 404, "Not Found", List.of(), new byte[0])
              : answer.apply(request));
    };
  }
}
