package dev.weblocks.embed;

import dev.weblocks.agent.Activity;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A fetcher that gets resources from the loader of the embedder. */
record ResourceLoading(ResourceLoader loader, Driver driver) implements Fetcher {

  @Override
  public CompletionStage<FetchResponse> fetch(
      dev.weblocks.agent.UserAgent userAgent, FetchRequest request) {
    return new Exchange(userAgent, request).begin();
  }

  /** A request to the loader and its answer. */
  private final class Exchange {
    private final FetchRequest request;
    private final Activity activity;
    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<FetchResponse> answer = new CompletableFuture<>();
    private final HostConnections connections;
    private final HostConnections.Connection connection;

    Exchange(dev.weblocks.agent.UserAgent userAgent, FetchRequest request) {
      this.request = request;
      activity = userAgent.activity();
      connections = HostConnections.of(userAgent);
      connection = connections.connection(request, this::load);
    }

    CompletableFuture<FetchResponse> begin() {
      activity.begin();
      try {
        answer.whenComplete((response, failure) -> {
          if (answer.isCancelled()) {
            end();
          }
        });
        connections.begin(connection);
      } catch (RuntimeException | Error exhausted) {
        settle(null, exhausted);
      }
      return answer;
    }

    private void load() {
      if (answer.isDone()) {
        return; // cancelled meanwhile
      }
      try {
        CompletionStage<ResourceResponse> loading =
            Objects.requireNonNull(
                loader.load(requestFor(request)), "the resource loader returned null");
        answer.whenComplete((response, failure) -> {
          if (answer.isCancelled()) {
            loading.toCompletableFuture().cancel(true); // code of the embedder, which may throw
          }
        });
        loading.thenApply(ResourceLoading::responseOf).whenComplete(this::arrived);
      } catch (RuntimeException | Error refused) {
        settle(null, refused);
      }
    }

    private void arrived(@Nullable FetchResponse response, @Nullable Throwable failure) {
      if (answer.isDone()) {
        return; // no longer needed
      }
      try {
        driver.arrive(
            "response to " + request.method() + " " + request.url(),
            () -> settle(response, failure));
      } catch (RuntimeException | Error exhausted) {
        settle(response, exhausted);
      }
    }

    private void settle(@Nullable FetchResponse response, @Nullable Throwable failure) {
      try {
        connection.end(); // before the dependents of the answer, which may send another request
      } finally {
        if (response == null || failure != null) {
          answer.completeExceptionally(
              failure == null ? new IllegalStateException("no response") : failure);
        } else {
          answer.complete(response);
        }
        end();
      }
    }

    private void end() {
      if (over.compareAndSet(false, true)) {
        connection.end();
        activity.end();
      }
    }
  }

  private static ResourceRequest requestFor(FetchRequest request) {
    ByteSequence body = request.body();
    return new ResourceRequest(
        request.method(),
        request.url(),
        request.headers(),
        body == null ? new byte[0] : body.toByteArray(),
        origins(request));
  }

  private static List<String> origins(FetchRequest request) {
    List<String> origins = new ArrayList<>();
    EnvironmentSettings requester = request.requester();
    if (requester != null) {
      Origin origin = requester.origin();
      UrlRecord url =
          origin instanceof Origin.Opaque ? UrlParser.parse(requester.creationUrl()) : null;
      origins.add(serialize(url == null ? origin : url.tupleOrigin()));
    }
    List<UrlRecord> urls = request.urlList();
    for (UrlRecord hop : urls.subList(0, urls.size() - 1)) {
      origins.add(serialize(hop.tupleOrigin()));
    }
    return origins;
  }

  private static String serialize(@Nullable Origin origin) {
    return origin == null ? "null" : origin.serialize();
  }

  private static FetchResponse responseOf(ResourceResponse response) {
    return new FetchResponse(
        response.url(),
        response.status(),
        response.statusText(),
        response.headers(),
        response.body());
  }
}
