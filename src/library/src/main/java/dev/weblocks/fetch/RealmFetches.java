package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The fetches of a realm that are in flight; they are aborted when the realm is discarded. Any
 * thread.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch-group">fetch group</a>
 */
final class RealmFetches {

  /** Guarded by itself; in the order in which the fetches started, and are aborted. */
  private final Set<FetchController> controllers = new LinkedHashSet<>();

  private RealmFetches() {}

  static RealmFetches of(Realm realm) {
    return realm
        .supplements()
        .get(
            RealmFetches.class,
            () -> {
              RealmFetches made = new RealmFetches();
              realm.onDiscard(() -> made.all().forEach(FetchController::abort));
              return made;
            });
  }

  /** Adds a fetch, to abort it when the realm is discarded. */
  void add(FetchController controller) {
    synchronized (controllers) {
      controllers.add(controller);
    }
    controller.future().whenComplete((response, failure) -> remove(controller));
  }

  private void remove(FetchController controller) {
    synchronized (controllers) {
      controllers.remove(controller);
    }
  }

  private List<FetchController> all() {
    synchronized (controllers) {
      return List.copyOf(controllers);
    }
  }
}
