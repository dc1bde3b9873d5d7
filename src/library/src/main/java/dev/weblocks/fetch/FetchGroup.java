package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The fetches in flight that are aborted together: those of a realm (without {@code keepalive})
 * when it is discarded, or all of a user agent when it has closed. Thread-safe.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch-group">fetch group</a>
 */
final class FetchGroup {

  /** The fetches, in the order in which they started. Guarded by this. */
  private final Set<FetchController> controllers = new LinkedHashSet<>();

  private boolean terminated;

  private FetchGroup(Consumer<Runnable> whenOver) {
    whenOver.accept(this::terminate);
  }

  static FetchGroup of(Realm realm) {
    return realm.supplements().get(FetchGroup.class, () -> new FetchGroup(realm::onDiscard));
  }

  static FetchGroup of(UserAgent userAgent) {
    return userAgent.supplements().get(FetchGroup.class, () -> new FetchGroup(userAgent::onClosed));
  }

  /** Adds a fetch; it is aborted at once if the group was terminated. */
  void add(FetchController controller) {
    if (addIfOpen(controller)) {
      controller.future().whenComplete((response, failure) -> remove(controller));
    } else {
      controller.abort();
    }
  }

  private synchronized boolean addIfOpen(FetchController controller) {
    return !terminated && controllers.add(controller);
  }

  private synchronized void remove(FetchController controller) {
    controllers.remove(controller);
  }

  private void terminate() {
    // the last first, so that no fetch that waits for a connection gets one meanwhile
    end().reversed().forEach(FetchController::abort);
  }

  private synchronized List<FetchController> end() {
    terminated = true;
    return List.copyOf(controllers);
  }
}
