package dev.weblocks.fetch;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.fetch.FetchResponse.Type;
import dev.weblocks.file.BlobUrlStore;
import dev.weblocks.file.ByteSequence;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fetches that need no network: those of the schemes {@code about}, {@code blob} and {@code data}.
 * Thread-safe.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-scheme-fetch">scheme fetch</a>
 */
final class LocalFetch {

  private LocalFetch() {}

  /** Returns a completed future with the response or a {@link NetworkErrorException}. */
  static CompletableFuture<FetchResponse> of(FetchRequest request) {
    try {
      return CompletableFuture.completedFuture(
          switch (request.currentUrl().scheme()) {
            case "about" -> about(request);
            case "blob" -> blob(request);
            default -> data(request);
          });
    } catch (NetworkErrorException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private static FetchResponse about(FetchRequest request) throws NetworkErrorException {
    if (!request.url().equals("about:blank")) {
      throw NetworkErrorException.of(request, "unknown about: URL; only about:blank is supported");
    }
    return local(request, 200, "OK", "text/html;charset=utf-8", ByteSequence.empty(), null);
  }

  private static FetchResponse data(FetchRequest request) throws NetworkErrorException {
    DataUrl struct = DataUrl.process(request.currentUrl());
    if (struct == null) {
      throw new NetworkErrorException("the data URL is malformed");
    }
    return local(request, 200, "OK", struct.mimeType().serialize(), struct.body(), null);
  }

  private static FetchResponse blob(FetchRequest request) throws NetworkErrorException {
    BlobUrlStore.Entry entry = request.blobUrlEntry(); // 1
    if (entry == null || !request.method().equals("GET")) { // 2
      throw NetworkErrorException.of(
          request,
          entry == null
              ? "the blob URL does not exist, or was revoked"
              : "method " + request.method() + " is not allowed for a blob URL; use GET");
    }
    EnvironmentSettings client = request.client(); // 3
    boolean mayUse =
        client == null ? request.isNavigation() : entry.isSamePartition(client); // 4 to 7
    if (!mayUse) { // 8
      throw NetworkErrorException.of(request, "the blob URL belongs to another storage partition");
    }
    ByteSequence bytes = entry.bytes(); // 10, 11
    String range = HeaderList.of(request.headers()).get("Range");
    if (range == null) { // 14
      return local(request, 200, "OK", entry.type(), bytes, null);
    }
    ByteRange asked = ByteRange.parse(range, true); // 15.3
    long size = bytes.size();
    if (asked == null || size == 0) { // 15.4
      throw NetworkErrorException.of(
          request, "the range '" + range + "' does not fit a blob of " + size + " bytes");
    }
    Long start = asked.start();
    Long end = asked.end();
    long from;
    long last = size - 1;
    if (start == null) { // 15.6
      from = Math.max(0, size - Objects.requireNonNull(end));
    } else { // 15.7
      from = start;
      if (from >= size) {
        throw NetworkErrorException.of(
            request, "the range '" + range + "' does not fit a blob of " + size + " bytes");
      }
      last = end == null ? last : Math.min(end, last);
    }
    if (from > last) {
      throw NetworkErrorException.of(request, "the range '" + range + "' is empty");
    }
    return local(
        request,
        206,
        "Partial Content",
        entry.type(),
        bytes.slice(from, last + 1),
        "bytes " + from + "-" + last + "/" + size);
  }

  /**
   * Returns a response that the user agent makes itself.
   *
   * @param contentType empty if unknown, as for a blob without type
   */
  private static FetchResponse local(
      FetchRequest request,
      int status,
      String statusText,
      String contentType,
      ByteSequence body,
      @Nullable String contentRange) {
    HeaderList headers = new HeaderList();
    if (request.currentUrl().scheme().equals("blob")) {
      headers.append("Content-Length", Long.toString(body.size()));
    }
    headers.append("Content-Type", MimeType.parse(contentType) == null ? "" : contentType);
    if (contentRange != null) {
      headers.append("Content-Range", contentRange);
    }
    return new FetchResponse(
        Type.DEFAULT,
        List.of(request.currentUrl().href()),
        status,
        statusText,
        headers.entries(),
        body,
        List.of());
  }
}
