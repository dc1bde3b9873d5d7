package dev.weblocks.embed;

import java.util.concurrent.CompletionStage;

/**
 * Where a user agent takes every resource from: documents, scripts and what script fetches. No
 * socket is opened unless the loader opens one.
 */
@FunctionalInterface
public interface ResourceLoader {

  /**
   * Loads one resource. Called on any thread of the driver, for many requests at once.
   *
   * @return completes with the response, whatever its status; a stage that completes exceptionally,
   *     or a thrown exception, is a network error to script. Where it is a {@link
   *     java.util.concurrent.CompletableFuture}, it is cancelled when nobody waits for it any more.
   */
  CompletionStage<ResourceResponse> load(ResourceRequest request);
}
