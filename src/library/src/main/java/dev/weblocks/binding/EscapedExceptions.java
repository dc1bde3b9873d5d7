package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The handling of exceptions of script that leave the engine although nothing in the call threw
 * them. If a module that the embedder has evaluated rejects later, the engine throws the rejection
 * out of the microtasks of whatever call is the outermost one then, and drops the promise jobs that
 * are left. Such an exception is reported as one of script, and the steps of the call continue.
 */
public final class EscapedExceptions {

  private static final String RAW_INTERRUPTION =
      "com.oracle.truffle.polyglot.PolyglotEngineImpl$InterruptExecution";

  private EscapedExceptions() {}

  /**
   * Returns whether an exception shows that the embedder interrupted the context. If Java called
   * into the context, the engine's internal exception may arrive here instead of a
   * PolyglotException.
   */
  public static boolean isInterruption(Throwable thrown) {
    return thrown instanceof PolyglotException guest
        ? guest.isInterrupted()
        : thrown.getClass().getName().equals(RAW_INTERRUPTION);
  }

  /**
   * Calls a function that catches all exceptions of script.
   *
   * @return its result; null if a microtask threw an exception, which is reported in a later task
   * @throws PolyglotException an exception of any other kind
   */
  static @Nullable Value call(RealmBinding binding, Value function, @Nullable Object... arguments) {
    try {
      return binding.realm().agent().call(function, arguments);
    } catch (PolyglotException thrown) {
      Callbacks.rethrow(unlessReported(binding, thrown));
      return null;
    }
  }

  /**
   * Reports an exception that left a call whose function did not throw it. Returns null then;
   * returns a failure that no microtask of script has thrown.
   */
  static @Nullable Throwable unlessReported(RealmBinding binding, @Nullable Throwable failure) {
    Agent agent = binding.realm().agent();
    Value exception =
        failure instanceof PolyglotException thrown && !agent.isRunningScript()
            ? exceptionOf(thrown, /* orOfHost= */ !agent.ownsContext())
            : null;
    if (exception == null) {
      return failure;
    }
    DroppedJobs.repair(agent);
    reportLater(binding, exception);
    return null;
  }

  /**
   * Reports a failure of a turn as an exception of script, in a later task, if it is one. Called on
   * any thread.
   *
   * @return whether it is one that can be reported
   */
  public static boolean report(Agent agent, Throwable failure) {
    Value exception =
        failure instanceof PolyglotException thrown && agent.eventLoop().isOnLoop()
            ? exceptionOf(thrown, /* orOfHost= */ false)
            : null;
    Realm realm = Realm.oldestOf(agent);
    if (exception == null || realm == null) {
      return false;
    }
    reportLater(RealmBinding.of(realm), exception);
    return true;
  }

  /**
   * Returns the value that script threw; null for a failure of another kind, such as an
   * interruption.
   *
   * @param orOfHost whether an exception of the host, from a function of the embedder, counts
   */
  private static @Nullable Value exceptionOf(PolyglotException thrown, boolean orOfHost) {
    if (HostFunction.mustPass(thrown) || thrown.isInterrupted() || thrown.isResourceExhausted()) {
      return null;
    }
    if (!thrown.isHostException()) {
      return thrown.getGuestObject();
    }
    Throwable ofHost = thrown.asHostException();
    return orOfHost && ofHost instanceof Exception ? Value.asValue(ofHost) : null;
  }

  /** Queues a task: the steps that follow would wait for listeners, or meet further exceptions. */
  private static void reportLater(RealmBinding binding, Value exception) {
    Agent agent = binding.realm().agent();
    agent.queueTask(
        TaskSource.DOM_MANIPULATION,
        "uncaught exception",
        () -> {
          Realm realm = binding.callbacks().associatedRealm(exception);
          if (!realm.isDiscarded()) {
            binding.platform().reporter().reportException(realm, exception);
          }
        });
  }
}
