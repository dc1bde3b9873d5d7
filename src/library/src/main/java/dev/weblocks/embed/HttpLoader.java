package dev.weblocks.embed;

import dev.weblocks.agent.RealTimeDelays;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** A loader that sends requests to real servers with the HTTP client of the JDK. Thread-safe. */
final class HttpLoader implements ResourceLoader {

  /** The headers that the HTTP client sets itself and does not accept from callers. */
  private static final Set<String> OF_THE_CLIENT =
      Set.of("connection", "content-length", "expect", "host", "upgrade");

  private final HttpOptions options;
  private final BiPredicate<? super ResourceRequest, ? super InetAddress> allowed;
  private final RealTimeDelays timeouts = new RealTimeDelays();
  private @Nullable HttpClient client;
  private boolean closed;

  HttpLoader(HttpOptions options) {
    this.options = options;
    this.allowed = options.addresses.get();
  }

  /** Returns the client, made lazily so that an unused loader has no threads. */
  private synchronized HttpClient client() {
    if (closed) {
      throw new IllegalStateException("the resource loader is closed; make another one");
    }
    HttpClient existing = client;
    if (existing == null) {
      existing =
          HttpClient.newBuilder()
              .connectTimeout(options.connectTimeout)
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
      client = existing;
    }
    return existing;
  }

  /** Shuts the client down; requests in flight continue. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    HttpClient existing = client;
    if (existing != null) {
      existing.shutdown();
      client = null;
    }
  }

  @Override
  public CompletionStage<ResourceResponse> load(ResourceRequest request) {
    HttpRequest outgoing;
    try {
      outgoing = outgoing(request);
    } catch (IllegalArgumentException unfit) {
      return CompletableFuture.failedFuture(unfit);
    }
    HttpClient sender = client();
    // the client's own timeout covers only the head of the response
    CompletableFuture<ResourceResponse> answer =
        timeouts.orTimeout(new CompletableFuture<>(), Driver.nanos(options.timeout));
    Runnable begin =
        () -> {
          try {
            requireAllowed(request, outgoing.uri());
            if (!answer.isDone()) {
              send(sender, request, outgoing, answer);
            }
          } catch (IOException | RuntimeException | Error refused) {
            answer.completeExceptionally(refused);
          }
        };
    // name servers may take long, also the one of the page itself
    ForkJoinPool.commonPool()
        .execute(() -> {
          try {
            blocking(begin);
          } catch (RejectedExecutionException tooManyWait) {
            answer.completeExceptionally(tooManyWait);
          }
        });
    return answer;
  }

  private void send(
      HttpClient sender,
      ResourceRequest request,
      HttpRequest outgoing,
      CompletableFuture<ResourceResponse> answer) {
    int limit = options.maxBodyBytes; // the JDK keeps the handler until the client is collected
    CompletableFuture<HttpResponse<byte[]>> exchange =
        sender.sendAsync(outgoing, head -> new LimitedBody(limit));
    exchange
        .thenApply(response -> incoming(request, response))
        .whenComplete((response, failure) -> {
          if (failure == null) {
            answer.complete(response);
          } else {
            answer.completeExceptionally(
                failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure);
          }
        });
    answer.whenComplete((response, failure) -> {
      if (failure != null) {
        exchange.cancel(true);
      }
    });
  }

  /**
   * Runs code that blocks on the common pool, which gets another thread meanwhile.
   *
   * @throws RejectedExecutionException if the pool may get no more threads
   */
  private static void blocking(Runnable code) {
    try {
      ForkJoinPool.managedBlock(
          new ForkJoinPool.ManagedBlocker() {
            private boolean done;

            @Override
            public boolean block() {
              code.run();
              done = true;
              return true;
            }

            @Override
            public boolean isReleasable() {
              return done;
            }
          });
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Checks each address of the host of a request.
   *
   * @throws IOException if the request may not reach one of them, or the host is unknown
   */
  private void requireAllowed(ResourceRequest request, URI uri) throws IOException {
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(uri.getHost());
    } catch (UnknownHostException unknown) {
      if (isProxied(uri)) {
        return; // the proxy resolves the host
      }
      throw unknown;
    }
    for (InetAddress address : addresses) {
      if (!allowed.test(request, address)) {
        throw new IOException(
            "a request that comes from "
                + (request.origins().isEmpty() ? "the embedder" : request.origins())
                + " may not reach "
                + address.getHostAddress()
                + ", the address of "
                + uri.getHost()
                + "; HttpOptions.addresses can allow it");
      }
    }
  }

  private static boolean isProxied(URI uri) {
    ProxySelector selector = ProxySelector.getDefault();
    return selector != null
        && selector.select(uri).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT);
  }

  private HttpRequest outgoing(ResourceRequest request) {
    URI uri = uri(request.url());
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri)
            // a plain HTTP/1.1 request must not request an upgrade
            .version(
                "https".equals(uri.getScheme())
                    ? HttpClient.Version.HTTP_2
                    : HttpClient.Version.HTTP_1_1)
            .method(
                request.method(),
                request.body().length == 0
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(request.body()));
    for (Map.Entry<String, String> each : request.headers()) {
      String name = each.getKey().toLowerCase(Locale.ROOT);
      if (!OF_THE_CLIENT.contains(name)) {
        builder.header(each.getKey(), each.getValue());
      }
    }
    return builder.build();
  }

  private static ResourceResponse incoming(ResourceRequest request, HttpResponse<byte[]> response) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    response
        .headers()
        .map()
        .forEach((name, values) -> {
          if (!name.startsWith(":")) { // pseudo-headers of HTTP/2
            values.forEach(value -> headers.add(Map.entry(name, value)));
          }
        });
    return new ResourceResponse(request.url(), response.statusCode(), "", headers, response.body());
  }

  /**
   * Converts a URL of the URL Standard to a URI; characters that a URI does not allow are
   * percent-encoded.
   */
  static URI uri(String url) {
    if (!url.startsWith("http://") && !url.startsWith("https://")) {
      throw new IllegalArgumentException(
          "'"
              + url
              + "' is not an http or https URL; use another resource loader for other schemes");
    }
    int authority = url.indexOf("://") + 3;
    int path = authority;
    while (path < url.length() && "/?".indexOf(url.charAt(path)) < 0) {
      path++;
    }
    int query = url.indexOf('?', path);
    StringBuilder uri = new StringBuilder(url.length());
    // only the host: the client sends no user and no password
    uri.append(url, 0, authority)
        .append(url, Math.max(authority, url.lastIndexOf('@', path) + 1), path);
    for (int i = path; i < url.length(); i++) {
      char each = url.charAt(i);
      boolean isFit =
          each == '%'
              ? isEscape(url, i)
              : each > ' '
                  && each < 0x7F
                  && "\"<>\\^`{|}".indexOf(each) < 0
                  && (("[]".indexOf(each) < 0) || (query >= 0 && i > query));
      if (isFit) {
        uri.append(each);
      } else {
        uri.append('%').append("0123456789ABCDEF".charAt(each >> 4 & 15));
        uri.append("0123456789ABCDEF".charAt(each & 15));
      }
    }
    return URI.create(uri.toString());
  }

  private static boolean isEscape(String url, int percent) {
    return percent + 2 < url.length()
        && Character.digit(url.charAt(percent + 1), 16) >= 0
        && Character.digit(url.charAt(percent + 2), 16) >= 0;
  }

  /** A body subscriber that fails if the body exceeds the limit. */
  private static final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final HttpResponse.BodySubscriber<byte[]> whole =
        HttpResponse.BodySubscribers.ofByteArray();
    private final int limit;
    private long length;
    private Flow.@Nullable Subscription subscription;

    LimitedBody(int limit) {
      this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return whole.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      whole.onSubscribe(begun);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      length += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
      if (length <= limit) {
        whole.onNext(buffers);
        return;
      }
      onError(
          new IOException(
              "the body of the response is longer than "
                  + limit
                  + " bytes; raise HttpOptions.maxBodyBytes"));
      if (subscription != null) {
        subscription.cancel();
      }
    }

    @Override
    public void onError(Throwable failure) {
      whole.onError(failure);
    }

    @Override
    public void onComplete() {
      whole.onComplete();
    }
  }
}
