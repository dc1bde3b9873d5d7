package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.global.AbstractNavigator;

/**
 * The {@code WorkerNavigator} interface; its members come from mixins.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#the-workernavigator-object">HTML</a>
 */
public final class WorkerNavigator extends AbstractNavigator {

  public WorkerNavigator(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    implementations.implement("WorkerNavigator", WorkerNavigator.class);
  }
}
