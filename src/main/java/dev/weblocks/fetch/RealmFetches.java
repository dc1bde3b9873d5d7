package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fetches of a realm that are under way: they end with it. Any thread.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch-group">fetch group</a>
 */
final class RealmFetches {

  private final Set<FetchController> controllers = ConcurrentHashMap.newKeySet();

  private RealmFetches() {}

  static RealmFetches of(Realm realm) {
    return realm
        .supplements()
        .get(
            RealmFetches.class,
            () -> {
              RealmFetches made = new RealmFetches();
              realm.onDiscard(() -> made.controllers.forEach(FetchController::abort));
              return made;
            });
  }

  /** Lets a fetch end with the realm. */
  void add(FetchController controller) {
    controllers.add(controller);
    controller.future().whenComplete((response, failure) -> controllers.remove(controller));
  }
}
