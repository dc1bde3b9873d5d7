package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The promises of completion stages, which an embedder may pass to script in a context of its own.
 * The engine does not await a stage, as it has no member {@code then}. Used on the event loop.
 */
public final class HostStages {

  private HostStages() {}

  /** Returns the stage that a value of script is; null for any other value. */
  public static @Nullable CompletionStage<?> of(Value value) {
    return value.isHostObject() && value.asHostObject() instanceof CompletionStage<?> stage
        ? stage
        : null;
  }

  /**
   * Returns a promise that settles as a stage does, in a task of its own. If the result is another
   * stage, the promise settles as that one. It stays pending if the agent ends first.
   */
  public static IdlPromise promise(Realm realm, CompletionStage<?> stage) {
    IdlPromise promise = RealmBinding.of(realm).promises().newPromise();
    // cleared at the end of the agent, so that a pending stage does not leak its context
    AtomicReference<@Nullable IdlPromise> open = new AtomicReference<@Nullable IdlPromise>(promise);
    CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
    CompletableFuture<?> unused = realm.agent().orEnded(settled).thenRun(() -> open.set(null));
    try {
      CompletionStage<?> alsoUnused =
          stage.whenComplete((value, failure) -> settleLater(open, settled, value, failure));
    } catch (RuntimeException | Error thrown) { // by a stage of the embedder's own class
      settleLater(open, settled, null, thrown);
    }
    return promise;
  }

  private static void settleLater(
      AtomicReference<@Nullable IdlPromise> open,
      CompletableFuture<@Nullable Void> settled,
      @Nullable Object value,
      @Nullable Throwable failure) {
    IdlPromise promise = open.get();
    if (promise != null) {
      promise
          .realm()
          .queueTask(
              TaskSource.DOM_MANIPULATION,
              "stage of the host",
              () -> {
                settled.complete(null);
                settle(promise, value, failure);
              });
    }
  }

  private static void settle(
      IdlPromise promise, @Nullable Object value, @Nullable Throwable failure) {
    try {
      if (failure != null) {
        promise.rejectWithHost(reason(failure));
      } else if (value instanceof CompletionStage<?> next) {
        promise.resolve(promise(promise.realm(), next).promise());
      } else {
        promise.resolveWithHost(value);
      }
    } catch (IllegalArgumentException foreign) { // a value of a context that shares none
      promise.rejectWithHost(foreign);
    }
  }

  /** Returns what script would catch if a function of the host threw the failure of a stage. */
  private static Object reason(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    Value thrown = cause instanceof PolyglotException guest ? guest.getGuestObject() : null;
    return thrown == null ? cause : thrown;
  }
}
