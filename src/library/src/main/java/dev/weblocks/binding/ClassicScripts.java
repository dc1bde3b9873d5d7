package dev.weblocks.binding;

import java.util.function.Consumer;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The runner of the classic scripts of a realm. Used on the event loop of its agent. */
public final class ClassicScripts {

  private final RealmBinding binding;
  private @Nullable SourceSection thrownAt;

  /** The declarations of classic scripts that modules can see; null outside of windows. */
  private @Nullable LexicalGlobals lexicalGlobals;

  ClassicScripts(RealmBinding binding) {
    this.binding = binding;
  }

  void areInWindow() {
    lexicalGlobals = new LexicalGlobals(binding.realm(), binding);
  }

  /**
   * Runs a script. An exception, including a syntax error, is reported before microtasks run.
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
   * @param failure receives the exception of the script, instead of a report; null to report it
   */
  public boolean run(Source source, Consumer<Value> completion, @Nullable Consumer<Value> failure) {
    try {
      return binding
          .callApi(
              "runScript",
              new HostFunction(
                  binding.realm(),
                  "script",
                  none -> {
                    Value value = evaluateNotingWhereItThrows(source, failure);
                    if (value != null) {
                      completion.accept(value);
                    }
                    return null;
                  }))
          .asBoolean();
    } finally {
      thrownAt = null;
    }
  }

  /** Evaluates a script to its completion value; null if {@code failure} received the exception. */
  private @Nullable Value evaluateNotingWhereItThrows(
      Source source, @Nullable Consumer<Value> failure) {
    try {
      Value completion = binding.realm().evaluate(source);
      if (lexicalGlobals != null) {
        lexicalGlobals.ranClassicScript(source.getCharacters());
      }
      return completion;
    } catch (PolyglotException thrown) {
      thrownAt = thrown.isGuestException() ? thrown.getSourceLocation() : null;
      if (failure == null || thrown.getGuestObject() == null) {
        throw thrown;
      }
      failure.accept(thrown.getGuestObject());
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
