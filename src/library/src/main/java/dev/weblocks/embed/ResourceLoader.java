package dev.weblocks.embed;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * The source of all external resources of a user agent: documents, scripts and resources that
 * script fetches. Only a loader opens sockets and reads files.
 *
 * <p>{@code data:} and {@code blob:} URLs and {@code about:blank} are never passed to a loader. The
 * user agent handles redirects, preflights and the checks of CORS: a loader only answers each
 * request, as a server does.
 *
 * <p>Any number of user agents may use a loader; its owner closes it after them. Only a loader of
 * {@link #http} has resources to release.
 *
 * {@snippet file="dev/weblocks/embed/WindowExamplesTest.java" region="resourceLoader"}
 */
@FunctionalInterface
public interface ResourceLoader extends AutoCloseable {

  /**
   * Loads one resource. Called on any thread of the driver, possibly for several requests at once,
   * or on a thread that completed the answer to another request, such as a redirect; must return
   * soon.
   *
   * @return a stage that completes with the response, whatever its status. If it completes
   *     exceptionally, or this method throws, script gets a network error. A {@link
   *     java.util.concurrent.CompletableFuture} is cancelled when the response is no longer needed.
   */
  CompletionStage<ResourceResponse> load(ResourceRequest request);

  /** Releases threads and connections, and returns at once; does nothing by default. */
  @Override
  default void close() {}

  /** Returns a builder for a loader of resources in memory. */
  static InMemoryResources inMemory() {
    return new InMemoryResources();
  }

  /**
   * Returns a loader of the files of a directory. They are read on request, on the common pool. A
   * deterministic driver does not wait for them, and treats their arrival as a {@link
   * dev.weblocks.model.ForeignStep step of another thread}; use {@link InMemoryResources#directory}
   * with it.
   *
   * @param base the absolute URL of the directory, such as {@code https://one.test/}
   * @param root the directory; no path and no symbolic link leads out of it. Files of more than 256
   *     MiB are not served
   * @throws IllegalArgumentException if the URL cannot be parsed, or has a query or an opaque path
   */
  static ResourceLoader directory(String base, Path root) {
    return directory(base, root, ForkJoinPool.commonPool());
  }

  /**
   * Returns a loader of the files of a directory.
   *
   * @param base the absolute URL of the directory, such as {@code https://one.test/}
   * @param root the directory; no path and no symbolic link leads out of it. Files of more than 256
   *     MiB are not served
   * @param reader runs the code that reads the files; {@code Runnable::run} reads them on the
   *     requesting thread, which blocks meanwhile; this suits a deterministic driver
   * @throws IllegalArgumentException if the URL cannot be parsed, or has a query or an opaque path
   */
  static ResourceLoader directory(String base, Path root, Executor reader) {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(root, "root");
    Objects.requireNonNull(reader, "reader");
    return new DirectoryLoader(base, root, reader);
  }

  /**
   * Returns a loader for {@code file:} URLs of a directory and its subdirectories. Other loaders
   * refuse that scheme, except a {@code directory} loader with a {@code file:} base.
   *
   * @param root the directory; no path and no symbolic link leads out of it. Files of more than 256
   *     MiB are not served
   */
  static ResourceLoader files(Path root) {
    Objects.requireNonNull(root, "root");
    return directory(root.toAbsolutePath().normalize().toUri().toString(), root);
  }

  /** Returns a loader that sends requests to real servers, with the default options. */
  static ResourceLoader http() {
    return http(HttpOptions.newBuilder().build());
  }

  /**
   * Returns a loader that sends requests to real servers by HTTP and HTTPS. It stores no cookies,
   * adds no credentials and follows no redirects. Its threads end after {@link #close}, when no
   * request is in flight; later requests fail. A deterministic driver does not wait for its
   * responses, and treats their arrival as a {@link dev.weblocks.model.ForeignStep step of another
   * thread}.
   */
  static ResourceLoader http(HttpOptions options) {
    return new HttpLoader(Objects.requireNonNull(options, "options"));
  }
}
