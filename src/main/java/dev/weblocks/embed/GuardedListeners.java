package dev.weblocks.embed;

import static java.lang.System.Logger.Level.ERROR;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Listeners of the embedder, which may throw: the first thing that one throws is logged, and the
 * step that it was told of goes on as if it had returned.
 */
final class GuardedListeners {

  private GuardedListeners() {}

  static ConsoleListener of(ConsoleListener listener) {
    Guard guard = new Guard("console listener");
    return new ConsoleListener() {
      @Override
      public void message(ConsoleMessage message) {
        guard.run(() -> listener.message(message));
      }

      @Override
      public void cleared(String url) {
        guard.run(() -> listener.cleared(url));
      }
    };
  }

  static ErrorListener of(ErrorListener listener) {
    Guard guard = new Guard("error listener");
    return error -> guard.run(() -> listener.uncaught(error));
  }

  static TraceListener of(TraceListener listener) {
    Guard guard = new Guard("trace listener");
    return new TraceListener() {
      @Override
      public void on(TraceEvent event) {
        guard.run(() -> listener.on(event));
      }

      @Override
      public void ended(long id, long nanos) {
        guard.run(() -> listener.ended(id, nanos));
      }
    };
  }

  static Consumer<String> ofInvariants(Consumer<String> listener) {
    Guard guard = new Guard("lock invariant listener");
    return violation -> guard.run(() -> listener.accept(violation));
  }

  private static final class Guard {
    private final String what;
    private final AtomicBoolean told = new AtomicBoolean();

    Guard(String what) {
      this.what = what;
    }

    void run(Runnable steps) {
      try {
        steps.run();
      } catch (RuntimeException | Error failure) {
        tell(failure);
      }
    }

    private void tell(Throwable failure) {
      try {
        if (told.compareAndSet(false, true)) {
          System.getLogger("dev.weblocks")
              .log(ERROR, "a " + what + " failed; what it throws from now on is not told", failure);
        }
      } catch (RuntimeException | Error broken) {
        // there is nobody left to tell
      }
    }
  }
}
