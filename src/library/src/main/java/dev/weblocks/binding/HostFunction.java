package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Fence;
import dev.weblocks.agent.LimitExceeded;
import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TurnLog;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * A Java function that internal scripts call. Members of interfaces use the {@link Seam} instead.
 * Java exceptions become genuine JavaScript exceptions, unless the context ends. {@link
 * ScriptValues#function} handles a stack overflow that occurs before this class runs.
 */
final class HostFunction implements ProxyExecutable {

  private final Realm realm;
  private final String label;
  private final Function<Value[], @Nullable Object> steps;
  private final boolean outlivesTheAgent;
  private final @Nullable TurnLog turns;

  /**
   * Creates a function.
   *
   * @param label the name of the function in reports of defects
   */
  HostFunction(Realm realm, String label, Function<Value[], @Nullable Object> steps) {
    this(realm, label, steps, false);
  }

  private HostFunction(
      Realm realm,
      String label,
      Function<Value[], @Nullable Object> steps,
      boolean outlivesTheAgent) {
    this.realm = realm;
    this.label = label;
    this.steps = steps;
    this.outlivesTheAgent = outlivesTheAgent;
    this.turns = realm.agent().userAgent().driver().turnLog();
  }

  /**
   * Creates a function that still runs its steps after the end of the agent, while the context is
   * open. Other functions do nothing then and return null.
   */
  static HostFunction thatOutlivesTheAgent(
      Realm realm, String label, Function<Value[], @Nullable Object> steps) {
    return new HostFunction(realm, label, steps, true);
  }

  @Override
  public @Nullable Object execute(Value... values) {
    try {
      Agent agent = realm.agent();
      if (!agent.eventLoop().isOnLoop()) {
        return agent.fromScript(() -> run(values), () -> afterTheEnd(values));
      }
      Fence.Position before = agent.fence().enterJava();
      if (before == null) {
        return afterTheEnd(values);
      }
      try {
        return run(values);
      } finally {
        agent.fence().leaveJava(before);
      }
    } catch (StackOverflowError beforeTheSteps) {
      throw RealmBinding.of(realm).values().exception(stackOverflow()).throwException();
    }
  }

  private @Nullable Object afterTheEnd(Value... values) {
    if (realm.agent().ownsContext()) {
      throw realm.agent().cancellation();
    }
    return outlivesTheAgent ? realm.agent().fence().outside(() -> run(values)) : null;
  }

  private @Nullable Object run(Value... values) {
    if (turns != null) {
      turns.reaches("host: " + label);
    }
    ScriptException failure;
    try {
      return steps.apply(values);
    } catch (PolyglotException thrown) {
      if (mustPass(thrown) || (thrown.isGuestException() && !thrown.isResourceExhausted())) {
        throw thrown;
      }
      failure = asScriptException(realm, label, thrown);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | LinkageError thrown) {
      failure = asScriptException(realm, label, thrown);
    }
    throw RealmBinding.of(realm).values().exception(failure).throwException();
  }

  /**
   * Returns whether an exception has to pass through script: the context is being closed, or the
   * engine has failed.
   */
  static boolean mustPass(PolyglotException thrown) {
    return thrown.isCancelled() || thrown.isExit() || thrown.isInternalError();
  }

  /**
   * Returns the exception that script receives in place of a Java exception. An internal defect is
   * reported; script does not see its Java details.
   */
  static ScriptException asScriptException(Realm realm, String label, Throwable thrown) {
    Throwable cause = thrown;
    if (thrown instanceof PolyglotException guest) {
      if (guest.isHostException()) {
        cause = guest.asHostException();
      } else if (guest.isResourceExhausted()) {
        return OutOfMemory.isStackOverflow(guest) ? stackOverflow() : outOfMemory();
      }
    }
    if (cause instanceof ScriptException meant) {
      return meant;
    }
    if (exhaustion(cause) instanceof ScriptException exhausted) {
      return exhausted;
    }
    if (cause instanceof LimitExceeded limit) {
      return ScriptException.dom("QuotaExceededError", String.valueOf(limit.getMessage()));
    }
    if (EscapedExceptions.isInterruption(
        cause)) { // the engine rethrows it wherever script continues in this turn
      return ScriptException.dom("AbortError", "The script was interrupted.");
    }
    Agent agent = realm.agent();
    if (agent.userAgent().isEnding(agent)) {
      agent.terminate(); // the user agent may not have come to this agent yet
      if (!agent.ownsContext()) {
        return hasEnded();
      }
      throw agent.cancellation(); // a failure while the agent ends is not a defect
    }
    agent.reportDefect(label, cause);
    return ScriptException.typeError("Internal error in " + label);
  }

  /** Returns the interruption that is the reason of a rejection; null if it is another value. */
  static @Nullable PolyglotException interruption(Value reason) {
    if (!reason.isException()) {
      return null;
    }
    try {
      throw reason.throwException();
    } catch (PolyglotException thrown) {
      return thrown.isInterrupted() ? thrown : null;
    }
  }

  /**
   * Returns the exception for the use of a platform object after the embedder has ended the agent.
   */
  static ScriptException hasEnded() {
    return ScriptException.dom(
        "InvalidStateError",
        "This context was detached from its user agent: the installation has been closed.");
  }

  /** Returns the exception that script receives if Java ran out of stack or memory; else null. */
  static @Nullable ScriptException exhaustion(Throwable thrown) {
    return switch (thrown) {
      case StackOverflowError stack -> stackOverflow();
      case OutOfMemoryError memory -> outOfMemory();
      default -> null;
    };
  }

  private static ScriptException outOfMemory() {
    return ScriptException.rangeError("Out of memory");
  }

  private static ScriptException stackOverflow() {
    return ScriptException.rangeError("Maximum call stack size exceeded");
  }
}
