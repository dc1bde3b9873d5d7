package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The caller of callback functions and user objects in a realm. Used on the event loop of its
 * agent.
 */
public final class Callbacks {

  private final Agent agent;
  private final Platform platform;
  private final AgentKit kit;
  private final Value callAndReport;
  private final Value callReturningString;
  private final Value callUserObject;
  private final Value invoke;
  private final Value invokeForPromise;
  private final Value reactToCompletion;
  private final Value takeCompletion;
  private final Value isCompletionLeft;

  Callbacks(RealmBinding binding, AgentKit kit) {
    this.agent = binding.realm().agent();
    this.platform = binding.platform();
    this.kit = kit;
    this.callAndReport = binding.preludeMember("callAndReport");
    this.callReturningString = binding.preludeMember("callReturningString");
    this.callUserObject = binding.preludeMember("callUserObject");
    this.invoke = binding.preludeMember("invoke");
    this.invokeForPromise = binding.preludeMember("invokeForPromise");
    this.reactToCompletion = binding.preludeMember("reactToCompletion");
    this.takeCompletion = binding.preludeMember("takeCompletion");
    this.isCompletionLeft = binding.preludeMember("isCompletionLeft");
  }

  /**
   * Invokes a callback function; an exception is reported.
   *
   * @return its result, null if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public @Nullable Value callAndReport(Value function, Object self, Object... arguments) {
    Object[] all = new Object[arguments.length + 2];
    all[0] = function;
    all[1] = self;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return orNullOnFailure(agent.call(callAndReport, all));
  }

  /**
   * Invokes a callback function whose return type is {@code DOMString?}; an exception is reported.
   *
   * @return its result; null also if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public @Nullable String callReturningString(Value function, Object self, Object argument) {
    Value result = orNullOnFailure(agent.call(callReturningString, function, self, argument));
    return result == null || result.isNull() ? null : result.asString();
  }

  /**
   * Calls a user object's operation; an exception is reported.
   *
   * @return its result, null if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#call-a-user-objects-operation">Web IDL</a>
   */
  public @Nullable Value callUserObject(
      Value object, String operation, Object self, Object argument) {
    return orNullOnFailure(agent.call(callUserObject, object, operation, self, argument));
  }

  private @Nullable Value orNullOnFailure(Value result) {
    return result.equals(kit.failure) ? null : result;
  }

  /**
   * Invokes a callback function that returns a promise, without {@code this}, and reacts to the
   * promise. A thrown exception counts as a rejection. Unless script is on the stack, microtasks
   * run after the returned value is converted to a promise, and before the reaction.
   *
   * @param argument null, or a new object, which Java must not pass to script again
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public void callAndReact(Value function, @Nullable PlatformObject argument, Reaction reaction) {
    Throwable failure = null;
    boolean reacts = false;
    int call = kit.nextCall();
    try {
      invoke(invokeForPromise, call, function, argument);
    } catch (RuntimeException | Error thrown) {
      failure = passing(thrown);
    }
    // a microtask may have failed instead; after an interruption no script runs in this turn
    if (failure == null
        || (!HostFunction.isInterruption(failure) && isCompletionLeft(call, false))) {
      try {
        reacts = agent.call(reactToCompletion, call, reaction).asBoolean();
      } catch (RuntimeException | Error thrown) {
        failure = failure == null ? passing(thrown) : failure;
        reacts = !HostFunction.isInterruption(thrown) && !isCompletionLeft(call, true);
      }
    }
    if (reacts) {
      rethrow(failure);
    } else {
      forgetCompletion(call);
      reaction.brokeOff(
          failure == null
              ? new IllegalStateException(
                  "no completion was recorded for call " + call + " of a callback")
              : failure);
    }
  }

  private boolean isCompletionLeft(int call, boolean ifUnknown) {
    try {
      return agent.ask(isCompletionLeft, call).asBoolean();
    } catch (RuntimeException | Error thrown) {
      return ifUnknown;
    }
  }

  private void forgetCompletion(int call) {
    try {
      Value unused = agent.ask(takeCompletion, call);
    } catch (RuntimeException | Error thrown) {
      // it is retained until the agent ends
    }
  }

  /** Rethrows the exception of a cancelled or exiting context; returns any other exception. */
  private static Throwable passing(Throwable thrown) {
    if (thrown instanceof PolyglotException ending && (ending.isCancelled() || ending.isExit())) {
      throw ending;
    }
    return thrown;
  }

  /** Returns the rejection reason for the promise of a callback that did not complete. */
  public static ScriptException brokenOff(Throwable failure) {
    if (HostFunction.isInterruption(failure)) {
      return ScriptException.dom("AbortError", "The callback was interrupted.");
    }
    ScriptException exhausted = HostFunction.exhaustion(failure);
    return exhausted == null
        ? ScriptException.dom("OperationError", "The callback failed for an internal reason.")
        : exhausted;
  }

  /** Throws an unchecked exception or an error; does nothing for null. */
  public static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case RuntimeException exception -> throw exception;
      case Error error -> throw error;
      case null, default -> {} // nothing has failed
    }
  }

  private void invoke(Value member, int call, Value function, @Nullable PlatformObject argument) {
    int id = 0;
    if (argument != null) {
      argument.handOver();
      id = platform.interfaceId(argument.getClass());
    }
    Value unused = agent.call(member, call, function, id, argument);
  }

  /**
   * The completion of a callback function.
   *
   * @param isAbrupt whether it threw
   * @param value its return value or its exception
   * @param failure an exception that left the context after the callback completed, from a
   *     microtask; null for none. Must be rethrown after the completion is used
   */
  public record Completion(boolean isAbrupt, Value value, @Nullable Throwable failure) {}

  /**
   * Invokes a callback function without {@code this}, for callers that continue even if it throws.
   * Unless script is on the stack, microtasks have run when this returns.
   *
   * @param argument null, or a new object, which Java must not pass to script again
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public Completion invoke(Value function, @Nullable PlatformObject argument) {
    int call = kit.nextCall();
    Throwable failure = null;
    try {
      invoke(invoke, call, function, argument);
    } catch (RuntimeException | Error thrown) {
      failure = passing(thrown);
      if (HostFunction.isInterruption(failure)) {
        rethrow(failure);
      }
    }
    Value completion = agent.ask(takeCompletion, call);
    if (completion.isNull()) {
      rethrow(failure);
    }
    return new Completion(
        completion.getMember("isAbrupt").asBoolean(), completion.getMember("value"), failure);
  }
}
