package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.global.UrlParts;

/**
 * The {@code WorkerLocation} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#worker-locations">HTML</a>
 */
final class WorkerLocation extends PlatformObject {

  private final UrlParts parts;

  WorkerLocation(Realm realm) {
    super(realm);
    this.parts =
        new UrlParts(realm.settings().creationUrl(), realm.settings().origin().serialize());
  }

  static void define(Implementations implementations) {
    UrlParts.define(
        implementations.implement("WorkerLocation", WorkerLocation.class), self -> self.parts);
  }
}
