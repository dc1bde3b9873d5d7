package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;

/**
 * The {@code WorkerNavigator} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#the-workernavigator-object">HTML</a>
 */
final class WorkerNavigator extends PlatformObject {

  WorkerNavigator(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    implementations.implement("WorkerNavigator", WorkerNavigator.class);
    implementations
        .mixin("NavigatorID", PlatformObject.class)
        .getter("userAgent", navigator -> "Mozilla/5.0 (compatible; Weblocks)");
  }
}
