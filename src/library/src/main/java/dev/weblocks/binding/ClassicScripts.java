package dev.weblocks.binding;

import dev.weblocks.agent.OutOfMemory;
import java.util.function.Consumer;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The runner of the classic scripts of a realm. Used on the event loop of its agent. */
public final class ClassicScripts {

  private final RealmBinding binding;
  private final Value runScript;
  private @Nullable SourceSection thrownAt;

  /** The declarations of classic scripts that modules can see; null outside of windows. */
  private @Nullable LexicalGlobals lexicalGlobals;

  /**
   * @param runScript a function that calls its argument, and reports what that throws
   */
  ClassicScripts(RealmBinding binding, Value runScript) {
    this.binding = binding;
    this.runScript = runScript;
  }

  void areInWindow() {
    lexicalGlobals = new LexicalGlobals(binding.realm(), binding.global());
  }

  /**
   * Runs a script. An exception, including a syntax error, is reported before microtasks run. So is
   * an internal error of the engine, as a defect: it ends the script, but no promise job is lost.
   *
   * @return whether the script ran to its end
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#run-a-classic-script">run
   *     a classic script</a>
   */
  public boolean run(Source source) {
    return run(source, value -> {});
  }

  /** Runs a script; {@code completion} receives its completion value if it runs to its end. */
  public boolean run(Source source, Consumer<Value> completion) {
    return run(source, completion, null);
  }

  /**
   * Runs a script as {@link #run(Source)} does.
   *
   * @param completion receives the completion value of the script, if it runs to its end
   * @param failure receives the exception of the script, instead of a report; null to report it. It
   *     also receives an internal error of the engine, which has no guest object
   */
  public boolean run(
      Source source, Consumer<Value> completion, @Nullable Consumer<PolyglotException> failure) {
    boolean[] ran = {false};
    HostFunction steps =
        new HostFunction(
            binding.realm(),
            "script",
            none -> {
              Value value = evaluateNotingWhereItThrows(source, failure);
              if (value != null) {
                completion.accept(value);
              }
              ran[0] = value != null || failure != null;
              return null;
            });
    try {
      Value unused = EscapedExceptions.call(binding, runScript, steps);
      return ran[0];
    } finally {
      thrownAt = null;
    }
  }

  /**
   * Evaluates a script to its completion value; null if {@code failure} received the exception, or
   * the engine has failed.
   */
  private @Nullable Value evaluateNotingWhereItThrows(
      Source source, @Nullable Consumer<PolyglotException> failure) {
    try {
      Value completion = binding.realm().evaluate(source);
      if (lexicalGlobals != null) {
        lexicalGlobals.ranClassicScript(source.getCharacters());
      }
      return completion;
    } catch (PolyglotException thrown) {
      if (thrown.isInternalError() && !OutOfMemory.isCauseOf(thrown)) {
        binding.realm().agent().reportDefect("script", thrown);
      } else {
        thrownAt = thrown.isGuestException() ? thrown.getSourceLocation() : null;
        if (failure == null || thrown.getGuestObject() == null) {
          throw thrown;
        }
      }
      if (failure != null) {
        failure.accept(thrown);
      }
      return null;
    }
  }

  /** Makes declarations of classic scripts visible to a module that names them, before it runs. */
  public void willRunModule(String text) {
    if (lexicalGlobals != null) {
      lexicalGlobals.willRunModule(text);
    }
  }

  /** Returns and clears the position at which the reported value was thrown; null if unknown. */
  public @Nullable SourceSection takeThrownAt() {
    SourceSection taken = thrownAt;
    thrownAt = null;
    return taken;
  }
}
