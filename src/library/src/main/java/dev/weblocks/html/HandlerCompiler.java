package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.fetch.ModuleScripts;
import java.util.Objects;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The compiler of event handler content attributes. */
final class HandlerCompiler {

  /**
   * A function that returns an object with the scopes of a handler: its document and its element.
   * The handler is compiled with this object as {@code this}, which no name in a scope can shadow.
   */
  private static final Source SCOPES =
      ScriptSource.internal(
          "(function () { return {__proto__: null, document: arguments[0], element: arguments[1]} })",
          "weblocks:handler-scopes");

  private HandlerCompiler() {}

  /**
   * Runs steps 1.1 to 1.11 of <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#getting-the-current-value-of-the-event-handler">getting
   * the current value of the event handler</a>. Form owners are not implemented.
   *
   * @param target an element, or the window for window handlers on a body element
   * @return null if scripting is disabled, or after reporting that the text is not a function body
   */
  static @Nullable Value compile(EventTarget target, String name, String body) {
    Element element = target instanceof Element itself ? itself : null;
    Document document =
        element == null ? Objects.requireNonNull(((Window) target).document()) : element.document();
    if (!document.isScriptingEnabled()) {
      return null; // 2.
    }
    Realm realm = document.realm();
    RealmBinding binding = document.binding();
    String parameters =
        element == null && name.equals("onerror") ? "event, source, lineno, colno, error" : "event";
    String function = "(" + parameters + ") {\n" + body + "\n}";
    // 7. and 8.: no text that closes the function and continues can be parsed in both forms
    for (String whole :
        new String[] {"0 ? function " + function + " : 0", "({m" + function + "})"}) {
      Source source = ModuleScripts.classicScript(whole, document.sourceName());
      if (!realm.canParse(source)) {
        binding.scripts().run(source); // reports it
        return null;
      }
    }
    // 9. to 11.; an anonymous function, because its name would shadow those of the scopes
    String scopes = element == null ? "" : "with (this.document) with (this.element) ";
    String maker =
        "(function () { %sreturn {%s: function %s}.%s })".formatted(scopes, name, function, name);
    Value scope =
        realm
            .agent()
            .call(
                realm.evaluate(SCOPES),
                document.object(),
                element == null ? binding.values().nullValue() : element.object());
    return binding
        .callbacks()
        .callAndReport(
            realm.evaluate(ModuleScripts.classicScript(maker, document.sourceName())), scope);
  }
}
