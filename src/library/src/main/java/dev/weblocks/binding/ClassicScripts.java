package dev.weblocks.binding;

import java.util.function.Consumer;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The runner of the classic scripts of a realm. On the event loop of its agent. */
public final class ClassicScripts {

  private final RealmBinding binding;
  private @Nullable SourceSection thrownAt;

  /** Null outside of windows. */
  private @Nullable LexicalGlobals lexicalGlobals;

  ClassicScripts(RealmBinding binding) {
    this.binding = binding;
  }

  void areInWindow() {
    lexicalGlobals = new LexicalGlobals(binding.realm(), binding);
  }

  /**
   * Runs a script; an exception, also a syntax error, is reported before microtasks run.
   *
   * @return whether it ran to its end
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#run-a-classic-script">run
   *     a classic script</a>
   */
  public boolean run(Source source) {
    return run(source, value -> {});
  }

  /** Runs a script, and passes its completion value on if it ran to its end. */
  public boolean run(Source source, Consumer<Value> completion) {
    return run(() -> completion.accept(evaluateNotingWhereItThrows(source)));
  }

  /**
   * Runs a script without a report of its exception.
   *
   * @param completion receives its completion value, if it ran to its end
   * @param failure receives the exception of the script, also a syntax error
   * @return false if it neither ran to its end nor threw an exception of its own
   */
  public boolean evaluate(
      Source source, Consumer<Value> completion, Consumer<PolyglotException> failure) {
    return run(() -> {
      Value value;
      try {
        value = evaluateNotingWhereItThrows(source);
      } catch (PolyglotException thrown) {
        if (thrown.getGuestObject() == null) {
          throw thrown;
        }
        failure.accept(thrown);
        return;
      }
      completion.accept(value);
    });
  }

  private boolean run(Runnable script) {
    try {
      return binding
          .callApi(
              "runScript",
              new HostFunction(
                  binding.realm(),
                  "script",
                  none -> {
                    script.run();
                    return null;
                  }))
          .asBoolean();
    } finally {
      thrownAt = null;
    }
  }

  private Value evaluateNotingWhereItThrows(Source source) {
    try {
      Value completion = binding.realm().evaluate(source);
      if (lexicalGlobals != null) {
        lexicalGlobals.ranClassicScript(source.getCharacters());
      }
      return completion;
    } catch (PolyglotException thrown) {
      thrownAt = thrown.isGuestException() ? thrown.getSourceLocation() : null;
      throw thrown;
    }
  }

  /**
   * Makes global variables visible to a module that names them. On the event loop, before it runs.
   */
  public void willRunModule(String text) {
    if (lexicalGlobals != null) {
      lexicalGlobals.willRunModule(text);
    }
  }

  /**
   * Returns where a script threw the value that is being reported, for values that do not contain
   * it; null if unknown. Clears it.
   */
  public @Nullable SourceSection takeThrownAt() {
    SourceSection taken = thrownAt;
    thrownAt = null;
    return taken;
  }
}
