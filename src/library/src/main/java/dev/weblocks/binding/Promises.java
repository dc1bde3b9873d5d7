package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The promises that Java makes, settles or reacts to in one realm, and microtasks. Used on the
 * event loop of its agent.
 */
public final class Promises {

  private final RealmBinding binding;
  private final Agent agent;
  private final Value functions;
  private final Value run;
  private final Value newPromise;
  private final Value promiseOf;
  private final Value resolvePromise;
  private final Value rejectPromise;

  /**
   * @param run a function that calls its argument
   */
  Promises(RealmBinding binding, Value functions, Value run) {
    this.binding = binding;
    this.agent = binding.realm().agent();
    this.functions = functions;
    this.run = run;
    this.newPromise = functions.getMember("newPromise");
    this.promiseOf = functions.getMember("promiseOf");
    this.resolvePromise = functions.getMember("resolvePromise");
    this.rejectPromise = functions.getMember("rejectPromise");
  }

  /**
   * Returns a new promise in this realm.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#a-new-promise">Web IDL</a>
   */
  public IdlPromise newPromise() {
    return new IdlPromise(binding, agent.ask(newPromise));
  }

  Value promiseOf(Value capability) {
    return agent.ask(promiseOf, capability);
  }

  void resolve(Value capability, @Nullable Object value) {
    EscapedExceptions.call(binding, resolvePromise, capability, value);
  }

  void reject(Value capability, Object reason) {
    EscapedExceptions.call(binding, rejectPromise, capability, reason);
  }

  /**
   * Reacts to a promise that page script cannot reach. Only for promises that the conversion of an
   * argument, {@link #newPromise} or an internal script created.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled">Web
   *     IDL</a>
   */
  public void react(Value promise, Consumer<Value> onFulfilled, Consumer<Value> onRejected) {
    EscapedExceptions.call(
        binding, functions.getMember("react"), promise, Reaction.of(onFulfilled, onRejected));
  }

  /**
   * Queues a microtask that invokes a callback.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#queue-a-microtask">HTML</a>
   */
  public void queueMicrotask(Value function) {
    agent.call(functions.getMember("queueMicrotask"), function);
  }

  /**
   * Sets the listener for promises that are rejected and still unhandled when the microtasks have
   * run. Works only in the first realm of an agent. Returns false if the engine supports no such
   * listener.
   *
   * @param listener receives the reason and the promise
   */
  public boolean onUnhandledRejection(BiConsumer<Value, Value> listener) {
    return passUnhandledRejectionsTo(
        binding
            .values()
            .function(
                "unhandled rejection",
                values -> {
                  // the task that was interrupted reports it
                  if (HostFunction.interruption(values[0]) == null) {
                    listener.accept(values[0], values[1]);
                  }
                  return null;
                }));
  }

  boolean passUnhandledRejectionsTo(Object function) {
    return agent.call(functions.getMember("onUnhandledRejection"), function).asBoolean();
  }

  /**
   * Runs steps as one call into the context: microtasks wait until all of them are done. Used by
   * tasks that settle several promises or fire several events as one step of a specification.
   */
  public void atomically(Runnable steps) {
    boolean[] done = new boolean[1];
    HostFunction function =
        new HostFunction(
            binding.realm(),
            "steps",
            none -> {
              steps.run();
              done[0] = true;
              return null;
            });
    try {
      agent.call(run, function);
    } catch (PolyglotException thrown) {
      Callbacks.rethrow(done[0] ? EscapedExceptions.unlessReported(binding, thrown) : thrown);
    }
  }
}
