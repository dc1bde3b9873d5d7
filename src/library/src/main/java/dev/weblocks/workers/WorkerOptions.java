package dev.weblocks.workers;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.url.UrlRecord;

/**
 * The options of a worker constructor.
 *
 * @param credentials for module scripts only; classic scripts always use "same-origin"
 * @param name possibly empty
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#workeroptions">HTML</a>
 */
record WorkerOptions(WorkerType type, FetchRequest.Credentials credentials, String name) {

  static WorkerOptions of(DictionaryView given) {
    return new WorkerOptions(
        WorkerType.of(given.string("type")),
        switch (given.string("credentials")) {
          case "omit" -> FetchRequest.Credentials.OMIT;
          case "include" -> FetchRequest.Credentials.INCLUDE;
          default -> FetchRequest.Credentials.SAME_ORIGIN;
        },
        given.string("name"));
  }

  static WorkerOptions named(String name) {
    return new WorkerOptions(WorkerType.CLASSIC, FetchRequest.Credentials.SAME_ORIGIN, name);
  }

  /** Returns the request for the script, with the environment id of the worker. */
  FetchRequest request(
      UrlRecord url,
      FetchRequest.Destination destination,
      EnvironmentSettings outside,
      String environmentId) {
    return FetchRequest.to(url)
        .destination(destination)
        .mode(FetchRequest.Mode.SAME_ORIGIN)
        .credentials(type == WorkerType.MODULE ? credentials : FetchRequest.Credentials.SAME_ORIGIN)
        .reservedClient(
            new FetchRequest.ReservedClient(
                environmentId, outside.topLevelOrigin(), null, outside.crossSiteAncestor()))
        .build();
  }
}
