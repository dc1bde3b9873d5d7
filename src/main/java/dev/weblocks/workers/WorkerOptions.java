package dev.weblocks.workers;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.url.UrlRecord;

/**
 * How a worker is to be made.
 *
 * @param name possibly empty
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#workeroptions">HTML</a>
 */
record WorkerOptions(String name) {

  static WorkerOptions of(DictionaryView given) {
    return new WorkerOptions(given.string("name"));
  }

  /** Only a name is given. */
  static WorkerOptions named(String name) {
    return new WorkerOptions(name);
  }

  /** The request for the script; its environment id is that of the worker. */
  FetchRequest request(
      UrlRecord url,
      FetchRequest.Destination destination,
      EnvironmentSettings outside,
      String environmentId) {
    return FetchRequest.to(url)
        .destination(destination)
        .mode(FetchRequest.Mode.SAME_ORIGIN)
        .reservedClient(new FetchRequest.ReservedClient(environmentId, outside.topLevelOrigin()))
        .build();
  }
}
