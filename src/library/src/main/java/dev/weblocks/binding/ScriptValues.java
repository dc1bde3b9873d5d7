package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The JavaScript values that Java makes and examines in one realm. Used on the event loop of its
 * agent.
 */
public final class ScriptValues {

  private final Realm realm;
  private final Agent agent;
  private final Value functions;
  private final Value undefined;
  private final Value nullValue;
  private final Value isUndefined;
  private final Value isOurs;
  private final Value newArray;
  private final Value newDictionary;
  private final Value newDictionaries;
  private final Value guarded;
  private @Nullable Value proxyType;

  ScriptValues(Realm realm, Value functions) {
    this.realm = realm;
    this.agent = realm.agent();
    this.functions = functions;
    this.undefined = functions.getMember("undefined");
    this.nullValue = functions.getMember("nullValue");
    this.isUndefined = functions.getMember("isUndefined");
    this.isOurs = functions.getMember("isOurs");
    this.newArray = functions.getMember("newArray");
    this.newDictionary = functions.getMember("newDictionary");
    this.newDictionaries = functions.getMember("newDictionaries");
    this.guarded = functions.getMember("guarded");
  }

  /** Returns the JavaScript value null. */
  public Value nullValue() {
    return nullValue;
  }

  /** Returns the JavaScript value undefined. */
  public Value undefined() {
    return undefined;
  }

  public boolean isUndefined(Value value) {
    return agent.call(isUndefined, value).asBoolean();
  }

  /**
   * Returns a script function that runs steps of Java, for internal scripts that page script may
   * call. After any failure, the caller gets a genuine JavaScript exception.
   *
   * @param label the name of the function in reports of defects
   */
  public Value function(String label, Function<Value[], @Nullable Object> steps) {
    return guarded(new HostFunction(realm, label, steps));
  }

  /** Returns a script function that calls {@code function}, and throws only values of script. */
  Value guarded(ProxyExecutable function) {
    return agent.ask(guarded, function);
  }

  /**
   * Returns the JavaScript value of a Java value: null, strings, booleans, numbers, {@link Value}s,
   * platform objects, {@link IdlPromise}, {@link DictionaryValue}, {@link DictionaryList}, lists
   * (as arrays).
   *
   * @throws IllegalArgumentException for any other value
   */
  public @Nullable Object toScript(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String string -> string;
      case Boolean bool -> bool;
      case Integer integer -> integer;
      case Long number -> (double) number; // as a JavaScript number: exact up to 2^53
      case Double number -> number;
      case Value already -> already;
      case PlatformObject object -> object.objectFor(realm);
      case IdlPromise promise -> promise.promise();
      case DictionaryValue made -> {
        @Nullable Object[] parts = new @Nullable Object[made.members().size() + 1];
        parts[0] = made.name();
        for (int i = 1; i < parts.length; i++) {
          parts[i] = toScript(made.members().get(i - 1));
        }
        yield agent.ask(newDictionary, parts);
      }
      case DictionaryList list -> list.toScript();
      case List<?> list -> agent.ask(newArray, allToScript(list));
      default ->
          throw new IllegalArgumentException(
              "cannot convert a " + value.getClass().getName() + " to a JavaScript value");
    };
  }

  private @Nullable Object[] allToScript(List<?> values) {
    @Nullable Object[] items = new @Nullable Object[values.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = toScript(values.get(i));
    }
    return items;
  }

  /** Returns the values of a converted sequence, which is an internal list; empty for null. */
  static List<Value> items(Value list) {
    int size = list.isNull() ? 0 : (int) list.getArraySize();
    List<Value> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(list.getArrayElement(i));
    }
    return items;
  }

  /**
   * Returns a frozen array of values that {@link #toScript} takes.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#js-frozen-array">Web IDL</a>
   */
  public Value frozenArray(List<?> values) {
    return agent.call(functions.getMember("frozenArray"), allToScript(values));
  }

  /** Returns the JavaScript value of an exception; error objects are created in this realm. */
  public Value exception(ScriptException exception) {
    return switch (exception.kind()) {
      case VALUE -> exception.thrownValue();
      case DOM_EXCEPTION ->
          new DOMException(realm, exception.text(), exception.errorName()).object();
      case TYPE_ERROR, RANGE_ERROR ->
          agent.call(functions.getMember("exception"), exception.errorName(), exception.text());
    };
  }

  /**
   * Parses JSON.
   *
   * @throws org.graalvm.polyglot.PolyglotException a SyntaxError, if the text is not valid JSON
   */
  public Value parseJson(String text) {
    return agent.call(functions.getMember("parseJson"), text);
  }

  /**
   * Returns a value as JSON; null for a value that JSON cannot express, such as a function.
   *
   * @throws org.graalvm.polyglot.PolyglotException if JSON.stringify throws
   */
  public @Nullable String serializeJson(Value value) {
    Value json = agent.call(functions.getMember("serializeJson"), value);
    return json.isNull() ? null : json.asString();
  }

  /**
   * Returns whether a value is a Proxy, of any realm, without running its traps. Interface objects
   * do not count: they are proxies, but script cannot distinguish them from functions.
   */
  public boolean isProxy(Value value) {
    return proxyType().isMetaInstance(value) && !agent.call(isOurs, value).asBoolean();
  }

  /** Returns {@link #isProxy} as a function for internal scripts. */
  public Value proxyTest() {
    return function("proxy test", values -> isProxy(values[0]));
  }

  Value proxyType() {
    Value known = proxyType;
    if (known == null) {
      known = someProxy().getMetaObject();
      proxyType = known;
    }
    return known;
  }

  /** Returns a new proxy, as script makes one. */
  Value someProxy() {
    return agent.ask(functions.getMember("someProxy"));
  }

  /** Passes the members of many dictionaries to script, for {@link #newDictionaries}. */
  Value prepareDictionaries(@Nullable Object[] nameAndMembers) {
    return agent.ask(functions.getMember("prepareDictionaries"), nameAndMembers);
  }

  /** Returns a new array of new dictionaries. */
  Value newDictionaries(Value prepared) {
    return agent.ask(newDictionaries, prepared);
  }

  /** Returns the function that makes functions look native. */
  Value markNative() {
    return functions.getMember("native");
  }
}
