package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * The top-level {@code let}, {@code const} and {@code class} declarations of a window's classic
 * scripts, made visible to its modules. In the engine, modules find global variables only in the
 * global object. So each declared name that a module may use becomes a property on the prototype
 * chain of the global, where the named properties of a window are.
 */
final class LexicalGlobals {

  private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|let|const)\\b([^;\\n]*)");

  private static final Pattern IDENTIFIER = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");

  /** The number of scripts that are kept at most. */
  private static final int MOST_UNREAD = 100;

  private final Realm realm;
  private final GlobalObject global;

  /** Scripts that were not searched yet: a window without modules never needs that. */
  private final List<CharSequence> unread = new ArrayList<>();

  private final Set<String> perhapsDeclared = new HashSet<>();
  private final Set<String> namedInModules = new HashSet<>();

  LexicalGlobals(Realm realm, GlobalObject global) {
    this.realm = realm;
    this.global = global;
  }

  /** Records the declarations of a classic script; makes them visible to modules that name them. */
  void ranClassicScript(CharSequence text) {
    unread.add(text);
    if (!namedInModules.isEmpty() || unread.size() == MOST_UNREAD) {
      Set<String> here = read();
      here.retainAll(namedInModules);
      here.forEach(this::showToModules);
    }
  }

  private Set<String> read() {
    Set<String> here = new HashSet<>();
    for (CharSequence text : unread) {
      Matcher declarations = DECLARATION.matcher(text);
      while (declarations.find()) {
        addIdentifiers(declarations.group(1), here);
      }
    }
    unread.clear();
    perhapsDeclared.addAll(here);
    return here;
  }

  /** Makes declarations of classic scripts visible to a module that names them, before it runs. */
  void willRunModule(String text) {
    Set<String> unused = read();
    Set<String> here = new HashSet<>();
    addIdentifiers(text, here);
    here.removeAll(namedInModules);
    namedInModules.addAll(here);
    here.retainAll(perhapsDeclared);
    here.forEach(this::showToModules);
  }

  private static void addIdentifiers(String text, Set<String> to) {
    Matcher identifiers = IDENTIFIER.matcher(text);
    while (identifiers.find()) {
      to.add(identifiers.group());
    }
  }

  private void showToModules(String name) {
    if (global.call("isGlobalProperty", name).asBoolean()) {
      return;
    }
    Value get;
    Value set;
    try {
      realm.evaluate(script(name)); // fails if it is not an identifier, or not declared
      get = realm.evaluate(script("(function () { return " + name + " })"));
      set = realm.evaluate(script("(function (value) { " + name + " = value })"));
    } catch (PolyglotException notDeclared) {
      if (HostFunction.mustPass(notDeclared)) {
        throw notDeclared;
      }
      return;
    }
    global.call("nameForModules", name, get, set);
  }

  private static Source script(String text) {
    return ScriptSource.internal(text, "weblocks:lexical");
  }
}
