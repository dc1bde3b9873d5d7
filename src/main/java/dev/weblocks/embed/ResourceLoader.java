package dev.weblocks.embed;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Where a user agent takes every resource from that it does not hold itself: documents, scripts and
 * what script fetches. No socket is opened and no file is read unless a loader does it.
 *
 * <p>{@code data:} and {@code blob:} URLs and {@code about:blank} never come here. Redirects,
 * preflights and the checks of CORS are the user agent's: a loader answers each request as a server
 * does.
 */
@FunctionalInterface
public interface ResourceLoader {

  /**
   * Loads one resource. Called on any thread of the driver, for many requests at once; must not
   * wait.
   *
   * @return completes with the response, whatever its status; a stage that completes exceptionally,
   *     or a thrown exception, is a network error to script. Where it is a {@link
   *     java.util.concurrent.CompletableFuture}, it is cancelled when nobody waits for it any more.
   */
  CompletionStage<ResourceResponse> load(ResourceRequest request);

  /**
   * Told when a user agent that was built with this loader has ended: the loader lets go of threads
   * and connections. One that another user agent uses has to go on answering.
   */
  default void close() {}

  /** Begins a loader of resources in memory. */
  static InMemoryResources inMemory() {
    return new InMemoryResources();
  }

  /**
   * Serves the files of a directory, which are read when they are asked for, on the common pool: a
   * deterministic driver does not wait for them, and takes them for foreign steps; see {@link
   * InMemoryResources#directory}.
   *
   * @param base absolute URL that stands for the directory, such as {@code https://one.test/}
   * @param root the directory; no path and no symbolic link leads out of it
   * @throws IllegalArgumentException if the URL cannot be parsed, or has a query or an opaque path
   */
  static ResourceLoader directory(String base, Path root) {
    return directory(base, root, ForkJoinPool.commonPool());
  }

  /**
   * Serves the files of a directory.
   *
   * @param base absolute URL that stands for the directory, such as {@code https://one.test/}
   * @param root the directory; no path and no symbolic link leads out of it
   * @param reader runs what reads the files; {@code Runnable::run} reads them on the thread that
   *     asks, which stands still meanwhile and suits a deterministic driver
   * @throws IllegalArgumentException if the URL cannot be parsed, or has a query or an opaque path
   */
  static ResourceLoader directory(String base, Path root, Executor reader) {
    return new DirectoryLoader(base, root, reader);
  }

  /**
   * Answers {@code file:} URLs of a directory and what is below it. All other loaders of this
   * interface refuse that scheme.
   *
   * @param root the directory; no path and no symbolic link leads out of it
   */
  static ResourceLoader files(Path root) {
    return directory(root.toAbsolutePath().normalize().toUri().toString(), root);
  }

  /** Asks real servers, with the default options. */
  static ResourceLoader http() {
    return http(HttpOptions.DEFAULT);
  }

  /**
   * Asks real servers by HTTP and HTTPS. It keeps no cookies, sends no credentials of its own and
   * follows no redirects. Its threads end with the user agent. What comes from a network comes when
   * it comes: a deterministic driver does not wait for it, and takes it for a foreign step.
   */
  static ResourceLoader http(HttpOptions options) {
    return new HttpLoader(options);
  }
}
