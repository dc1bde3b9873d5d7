package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.JavaStack;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The reader of exceptions for reports. Used on the event loop of the realm's agent. */
public final class ErrorReader {

  private final Agent agent;
  private final Value functions;
  private final Value stackOf;
  private final Value textOf;

  ErrorReader(RealmBinding binding, Value errorReader) {
    this.agent = binding.realm().agent();
    this.functions =
        agent.call(
            errorReader,
            binding.values().proxyTest(),
            binding.values().function("error", values -> CallStack.of(values[0])));
    this.stackOf = functions.getMember("stackOf");
    this.textOf = functions.getMember("textOf");
  }

  /**
   * Returns the object with which internal scripts read errors. It has the functions {@code
   * isError}, {@code isStackPlain}, {@code stackOf} and {@code textOf}. Given an error, they run no
   * code of a page, unlike a read of the property {@code stack}.
   */
  public Value functions() {
    return functions;
  }

  /**
   * Returns the text of an exception for an error event: its name and message, or the value as
   * text. Code of a page runs only to convert a value that is not an error.
   */
  public String text(Value exception) {
    Throwable thrown = hostException(exception);
    if (thrown != null) {
      ScriptException exhausted = HostFunction.exhaustion(thrown);
      return exhausted == null
          ? thrown.toString()
          : exhausted.errorName() + ": " + exhausted.text();
    }
    return agent.call(textOf, exception).asString();
  }

  /**
   * Returns the stack of an exception; null if it has none. Runs no code of a page: if the engine
   * would run such code to build the stack, the binding builds it instead.
   */
  public @Nullable String stack(Value exception) {
    Throwable thrown = hostException(exception);
    if (thrown != null) {
      return HostFunction.exhaustion(thrown) == null ? JavaStack.of(thrown) : null;
    }
    Value stack = agent.call(stackOf, exception);
    return stack.isNull() ? null : stack.asString();
  }

  /**
   * Returns the Java throwable that a value contains; null if there is none. A function of the
   * embedder threw it, or it is a stack overflow that the binding could not convert.
   */
  private static @Nullable Throwable hostException(Value exception) {
    return exception.isHostObject() && exception.asHostObject() instanceof Throwable thrown
        ? thrown
        : null;
  }
}
