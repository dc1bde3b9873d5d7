package dev.weblocks.embed;

import static java.lang.System.Logger.Level.ERROR;

import dev.weblocks.embed.internal.LockInvariantListener;
import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.ErrorListener;
import dev.weblocks.model.LimitListener;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A wrapper for listeners of the embedder that catches their exceptions, so that the code that
 * calls a listener continues. Logs the first exception and the first stack overflow of each
 * listener.
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

  static LimitListener of(LimitListener listener) {
    Guard guard = new Guard("limit listener");
    return event -> guard.run(() -> listener.reached(event));
  }

  static TraceListener of(TraceListener listener) {
    Guard guard = new Guard("trace listener");
    return new TraceListener() {
      @Override
      public void on(TraceEvent event) {
        guard.run(() -> listener.on(event));
      }

      @Override
      public void ended(long id, Duration time) {
        guard.run(() -> listener.ended(id, time));
      }
    };
  }

  static Consumer<String> ofInvariants(LockInvariantListener listener) {
    Guard guard = new Guard("lock invariant listener");
    return violation -> guard.run(() -> listener.violated(violation));
  }

  private static final class Guard {
    private final String what;
    private final AtomicBoolean logged = new AtomicBoolean();
    private final AtomicBoolean overflowLogged = new AtomicBoolean();

    Guard(String what) {
      this.what = what;
    }

    void run(Runnable steps) {
      try {
        steps.run();
      } catch (RuntimeException | Error failure) {
        log(failure);
      }
    }

    private void log(Throwable failure) {
      // a stack overflow may be caused by script that calls the console: it is logged separately
      AtomicBoolean kind = failure instanceof StackOverflowError ? overflowLogged : logged;
      if (kind.getAndSet(true)) {
        return;
      }
      try {
        System.getLogger("dev.weblocks")
            .log(
                ERROR,
                "the "
                    + what
                    + " threw; the observed code continues; further exceptions of this listener are"
                    + " not logged: catch them in the listener",
                failure);
      } catch (RuntimeException | Error noMemoryOrStack) {
        kind.set(false); // so the next one may be logged
      }
    }
  }
}
