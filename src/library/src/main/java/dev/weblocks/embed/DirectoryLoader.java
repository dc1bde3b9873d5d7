package dev.weblocks.embed;

import dev.weblocks.file.ServedDirectory;
import dev.weblocks.url.PercentEncoding;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A loader of the files of a directory. Thread-safe. */
final class DirectoryLoader implements ResourceLoader {

  private final String base;
  private final ServedDirectory files;
  private final Executor reader;

  DirectoryLoader(String base, Path root, Executor reader) {
    this.base = baseOf(base);
    this.files = new ServedDirectory(root);
    this.reader = reader;
  }

  /** Returns a base URL with a slash at its end; throws if it cannot be the URL of a directory. */
  static String baseOf(String url) {
    UrlRecord parsed = UrlParser.parse(url);
    if (parsed == null
        || parsed.hasOpaquePath()
        || parsed.query() != null
        || parsed.fragment() != null) {
      throw new IllegalArgumentException(
          "'"
              + url
              + "' cannot be the base URL of a directory; use one without query and fragment, such"
              + " as https://one.test/");
    }
    String href = parsed.href();
    return href.endsWith("/") ? href : href + "/";
  }

  @Override
  public CompletionStage<ResourceResponse> load(ResourceRequest request) {
    if (!request.url().startsWith(base)) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException(
              "'" + request.url() + "' is not below " + base + ", which this loader serves"));
    }
    return CompletableFuture.supplyAsync(() -> answer(request), reader);
  }

  private ResourceResponse answer(ResourceRequest request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return new ResourceResponse(
          request.url(),
          405,
          "Method Not Allowed",
          List.of(Map.entry("Allow", "GET, HEAD")),
          new byte[0]);
    }
    try {
      Path file = find(request.url());
      if (file != null) {
        return new ResourceResponse(
            request.url(),
            200,
            "OK",
            List.of(Map.entry("Content-Type", MediaTypes.of(file.getFileName().toString()))),
            files.read(file));
      }
    } catch (NoSuchFileException | OutOfMemoryError absent) {
      // deleted meanwhile, or too large for the heap: reported as not found
    } catch (IOException unreadable) {
      throw new CompletionException(unreadable);
    }
    return new ResourceResponse(request.url(), 404, "Not Found", List.of(), new byte[0]);
  }

  /** Returns the file of a URL; null if the directory does not contain it. */
  private @Nullable Path find(String url) {
    int query = url.indexOf('?');
    String path = url.substring(base.length(), query < 0 ? url.length() : query);
    List<String> names = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      names.add(PercentEncoding.decode(segment));
    }
    boolean namesDirectory = names.getLast().isEmpty();
    if (namesDirectory) {
      names.removeLast();
    }
    Path found = files.find(names);
    if (found != null && Files.isDirectory(found)) {
      names.add("index.html");
      found = files.find(names);
    } else if (namesDirectory) {
      return null;
    }
    return found != null && Files.isRegularFile(found) ? found : null;
  }
}
