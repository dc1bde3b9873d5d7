package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlParts;
import dev.weblocks.url.UrlRecord;

/**
 * The {@code WorkerLocation} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#worker-locations">HTML</a>
 */
final class WorkerLocation extends PlatformObject {

  private final UrlRecord url;

  WorkerLocation(Realm realm) {
    super(realm);
    this.url = UrlParser.parseAbsolute(realm.settings().creationUrl());
  }

  static void define(Implementations implementations) {
    UrlParts.define(
        implementations.implement("WorkerLocation", WorkerLocation.class), self -> self.url);
  }
}
