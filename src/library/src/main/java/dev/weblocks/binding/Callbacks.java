package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The caller of callback functions and user objects in a realm. Used on the event loop of its
 * agent.
 */
public final class Callbacks {

  private final RealmBinding binding;
  private final Agent agent;
  private final Platform platform;
  private final AgentKit kit;
  private final Value functions;
  private final Value callAndAwait;
  private final Value awaitValue;
  private final Value callAndReport;
  private final Value callReturningString;
  private final Value callUserObject;
  private final Value invoke;
  private final Value invokeAndReact;
  private final Value reactionOf;
  private final Value takeCompletion;
  private final Value undefined;
  private final Value seamOf;

  Callbacks(RealmBinding binding, Value functions) {
    this.binding = binding;
    this.agent = binding.realm().agent();
    this.platform = binding.platform();
    this.kit = AgentKit.of(binding.realm());
    this.functions = functions;
    this.callAndAwait = functions.getMember("callAndAwait");
    this.awaitValue = functions.getMember("awaitValue");
    this.callAndReport = functions.getMember("callAndReport");
    this.callReturningString = functions.getMember("callReturningString");
    this.callUserObject = functions.getMember("callUserObject");
    this.invoke = functions.getMember("invoke");
    this.invokeAndReact = functions.getMember("invokeAndReact");
    this.reactionOf = functions.getMember("reactionOf");
    this.takeCompletion = functions.getMember("takeCompletion");
    this.undefined = binding.values().undefined();
    this.seamOf = functions.getMember("seamOf");
  }

  /**
   * Invokes a callback function; an exception is reported.
   *
   * @return its result, null if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public @Nullable Value callAndReport(Value function, Object self, @Nullable Object... arguments) {
    @Nullable Object[] all = new @Nullable Object[arguments.length + 2];
    all[0] = function;
    all[1] = self;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return orNullOnFailure(EscapedExceptions.call(binding, callAndReport, all));
  }

  /**
   * Invokes a callback function whose return type is {@code DOMString?}; an exception is reported.
   *
   * @return its result; null also if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public @Nullable String callReturningString(Value function, Object self, Object argument) {
    Value result =
        orNullOnFailure(
            EscapedExceptions.call(binding, callReturningString, function, self, argument));
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
    return orNullOnFailure(
        EscapedExceptions.call(binding, callUserObject, object, operation, self, argument));
  }

  /** Returns the function of the prelude with a name. */
  Value function(String name) {
    return functions.getMember(name);
  }

  /**
   * Returns the realm of a callback, to whose global its exceptions are reported. It is found
   * through the prototype chain of the callback; if that fails, this realm is returned.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-associated-realm">associated realm</a>
   */
  public Realm associatedRealm(Value callback) {
    if (!agent.hasHadSeveralRealms()) {
      return binding.realm();
    }
    Value found = agent.call(seamOf, callback);
    return found.isProxyObject() && found.asProxyObject() instanceof Seam seam
        ? seam.realm()
        : binding.realm();
  }

  private @Nullable Value orNullOnFailure(@Nullable Value result) {
    return result == null || result.equals(kit.failure) ? null : result;
  }

  /**
   * Invokes a callback function that returns a promise, without {@code this}, and reacts to the
   * promise. A thrown exception counts as a rejection. Unless script is on the stack, microtasks
   * run after the returned value is converted to a promise, and before the reaction.
   *
   * <p>One call into the context does all of this: script adds the reaction before the microtasks
   * run, and {@link LateReaction} keeps a promise that settles meanwhile until they are over. Its
   * job would then be the only one of the next checkpoint, so Java runs it without a job. Called in
   * a task, which is not within another such call.
   *
   * @param argument null, or a new object, which Java must not pass to script again
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public void callAndReact(Value function, @Nullable PlatformObject argument, Reaction reaction) {
    boolean isOutermost = agent.ownsContext() && !agent.isRunningScript();
    int call = kit.nextCall();
    Throwable failure = null;
    Value answer = undefined;
    LateReaction late = null;
    try {
      late = new LateReaction(reaction);
      answer =
          agent.call(
              invokeAndReact, call, function, handOver(argument), argument, late, isOutermost);
    } catch (RuntimeException | Error thrown) {
      failure = passing(thrown);
    }
    if (failure != null && EscapedExceptions.isInterruption(failure)) {
      afterInterruption(call, late, reaction, failure);
      return;
    }
    if (failure != null) { // a microtask may have failed instead of the callback
      answer = reactionOf(call);
    }
    react(call, answer, late, reaction, failure);
    if (answer.isBoolean()) {
      rethrow(EscapedExceptions.unlessReported(binding, failure));
    }
  }

  /**
   * Reacts to a callback in the next task: after an interruption the engine stops each script of
   * this turn. Promise jobs that had been queued may have run or not.
   */
  private void afterInterruption(
      int call, @Nullable LateReaction late, Reaction reaction, Throwable failure) {
    binding
        .realm()
        .queueFirstTask(
            "interrupted callback", () -> react(call, reactionOf(call), late, reaction, failure));
    DroppedJobs.repairAfter(agent, failure);
  }

  private void react(
      int call,
      Value answer,
      @Nullable LateReaction late,
      Reaction reaction,
      @Nullable Throwable failure) {
    if (late == null || !answer.isBoolean()) {
      if (late != null) {
        late.drop();
      }
      reaction.brokeOff(
          failure == null ? new IllegalStateException("no result of call " + call) : failure);
      return;
    }
    if (answer.asBoolean()) {
      late.settled(true, undefined);
    }
    agent.aside(late); // the job
    agent.reportCheckpoint();
  }

  /**
   * Calls a function of the embedder without {@code this}, awaits its result as script does, and
   * reacts to it. An exception counts as a rejection.
   */
  public void callAndAwait(Reaction reaction, Value function, @Nullable Object... arguments) {
    @Nullable Object[] all = new @Nullable Object[arguments.length + 2];
    all[0] = reaction;
    all[1] = function;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    Value unused = EscapedExceptions.call(binding, callAndAwait, all);
  }

  /** Awaits a value as script does, and reacts to the result. */
  public void await(Reaction reaction, Value value) {
    Value unused = EscapedExceptions.call(binding, awaitValue, reaction, value);
  }

  /** Returns the answer that a call did not return, because a microtask failed. */
  private Value reactionOf(int call) {
    try {
      return agent.ask(reactionOf, call);
    } catch (RuntimeException | Error thrown) {
      return undefined;
    }
  }

  /** A reaction that is not called before the microtask checkpoint after its callback is over. */
  private static final class LateReaction implements Reaction, Runnable {
    private final Reaction reaction;
    private boolean isTime;
    private boolean isDropped;
    private boolean fulfilled;

    /** Null before the promise is settled. */
    private @Nullable Value outcome;

    LateReaction(Reaction reaction) {
      this.reaction = reaction;
    }

    @Override
    public void settled(boolean wasFulfilled, Value value) {
      if (isTime) {
        pass(wasFulfilled, value);
      } else if (!isDropped) {
        fulfilled = wasFulfilled;
        outcome = value;
      }
    }

    /** Called when the checkpoint is over. */
    @Override
    public void run() {
      isTime = true;
      Value known = outcome;
      if (known != null) {
        outcome = null;
        pass(fulfilled, known);
      }
    }

    private void pass(boolean wasFulfilled, Value value) {
      if (isDropped) {
        return; // the reaction was added again after an interruption, and both are called
      }
      isDropped = true;
      PolyglotException interruption = wasFulfilled ? null : HostFunction.interruption(value);
      if (interruption == null) {
        reaction.settled(wasFulfilled, value);
      } else {
        reaction.brokeOff(interruption);
      }
    }

    /** Calls the reaction never. */
    void drop() {
      isDropped = true;
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
    if (EscapedExceptions.isInterruption(failure)) {
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

  /** Returns the interface id of an argument that script gets now, and Java never again. */
  private int handOver(@Nullable PlatformObject argument) {
    if (argument == null) {
      return 0;
    }
    argument.handOver();
    return platform.interfaceId(argument);
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
      Value unused = agent.call(invoke, call, function, handOver(argument), argument);
    } catch (RuntimeException | Error thrown) {
      failure = passing(thrown);
      if (EscapedExceptions.isInterruption(failure)) {
        rethrow(failure);
      }
    }
    Value completion = agent.ask(takeCompletion, call);
    if (completion.isNull()) {
      rethrow(failure);
    }
    return new Completion(
        completion.getMember("isAbrupt").asBoolean(),
        completion.getMember("value"),
        EscapedExceptions.unlessReported(binding, failure));
  }
}
